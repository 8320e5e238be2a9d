// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import java.lang.reflect.Method;

/**
 * One method that removes a cached result.
 *
 * @param type the bean's class
 * @param method the method, as this class has it
 * @param commandKey the key of the command whose results are meant, as the annotation has it
 * @param cacheKeys makes the key of the result to remove
 */
public record DeclaredRemoval(
    Class<?> type, Method method, String commandKey, CacheKeys cacheKeys) {

  /** Whether nothing happens before a subscription to what the method returns. */
  public boolean isSubscribed() {
    AnswerKind kind = AnswerKind.of(method);
    return kind != null && kind.isSubscribed();
  }

  /** As in messages: class, name, parameters. */
  public String where() {
    return Signatures.where(type, method);
  }
}
