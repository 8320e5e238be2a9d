// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import dev.tenrec.annotations.Collapsed;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Method;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One method whose calls become batches.
 *
 * @param type the bean's class
 * @param method the method, as this class has it
 * @param scope which calls share batches
 * @param properties of the collapser
 * @param kind what the method returns
 * @param batch what runs for all: key, group, pool, settings, fallback
 * @param answers how the batch method answers
 * @param handle calls the batch method: {@code (Object target, Object[] list, Throwable) Object}
 * @param cacheKeys makes the keys of its answers, or null if they are not kept
 */
public record DeclaredCollapser(
    Class<?> type,
    Method method,
    Collapsed.Scope scope,
    Map<String, String> properties,
    AnswerKind kind,
    DeclaredCommand batch,
    Answers answers,
    MethodHandle handle,
    @Nullable CacheKeys cacheKeys) {

  /** How a batch method answers. */
  public enum Answers {
    /** A list, in the arguments' order. */
    BY_POSITION,
    /** A map, by argument. */
    BY_ARGUMENT,
    /** A stage of such a map. */
    LATER_BY_ARGUMENT;

    /** What a batch method returns; null if it is none of these. */
    static @Nullable Answers of(Class<?> returned) {
      if (java.util.List.class.isAssignableFrom(returned)) {
        return BY_POSITION;
      }
      if (Map.class.isAssignableFrom(returned)) {
        return BY_ARGUMENT;
      }
      return AnswerKind.of(returned) == AnswerKind.STAGE ? LATER_BY_ARGUMENT : null;
    }
  }

  /** As in messages: class, name, parameters. */
  public String where() {
    return Signatures.where(type, method);
  }
}
