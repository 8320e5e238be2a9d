// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * One method that is a command.
 *
 * @param type the bean's class
 * @param method the method, as this class has it
 * @param key its key
 * @param group its group
 * @param pool its pool, or null for the group's
 * @param maxKeys how many keys there may be
 * @param settings what is said about it
 * @param kind what the method returns
 * @param fallbacks what answers for it, or null
 * @param cacheKeys makes the keys of its results, or null if they are not kept
 */
public record DeclaredCommand(
    Class<?> type,
    Method method,
    KeyTemplate key,
    KeyTemplate group,
    @Nullable KeyTemplate pool,
    int maxKeys,
    Settings settings,
    AnswerKind kind,
    @Nullable Fallbacks fallbacks,
    @Nullable CacheKeys cacheKeys) {

  /** Whether its key was made of the names of class and method. */
  public boolean hasDefaultKey() {
    return key.toString()
        .startsWith(CommandReader.simpleName(type) + "." + KotlinFunctions.name(method));
  }

  /** Whether its key is the name of its method, said or not. */
  public boolean isKeyedByMethod() {
    return key.toString().equals(KotlinFunctions.name(method));
  }

  /**
   * The same method, described as another one that has its key. Which of its failures are the
   * caller's fault, and whether it may be run again, stays its own to say.
   */
  public DeclaredCommand describedAs(DeclaredCommand other) {
    return new DeclaredCommand(
        type,
        method,
        key,
        other.group,
        other.pool,
        maxKeys,
        settings.describedAs(other.settings),
        kind,
        fallbacks,
        cacheKeys);
  }

  /** Whether both say the same of group, pool and settings. */
  public boolean isDescribedLike(DeclaredCommand other) {
    return group.toString().equals(other.group.toString())
        && String.valueOf(pool).equals(String.valueOf(other.pool))
        && settings.equals(other.settings);
  }

  /** As in messages: class, name, parameters. */
  public String where() {
    return Signatures.where(type, method);
  }
}
