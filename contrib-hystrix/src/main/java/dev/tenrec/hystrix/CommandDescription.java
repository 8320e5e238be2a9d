// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an instance says of its command.
 *
 * @param brings what its kind of command brings
 * @param group the group
 * @param key the command
 * @param poolKey the pool
 * @param command what it sets for the command; null for nothing
 * @param pool what it sets for the pool; null for nothing
 */
record CommandDescription(
    Brings brings,
    HystrixCommandGroupKey group,
    HystrixCommandKey key,
    HystrixThreadPoolKey poolKey,
    HystrixCommandProperties.@Nullable Setter command,
    HystrixThreadPoolProperties.@Nullable Setter pool) {

  /** The kinds of commands. Those that bring items are on a semaphore unless a setting says so. */
  enum Brings {
    ONE_ANSWER,
    ITEMS
  }

  private static final ClassValue<HystrixCommandKey> DEFAULT_KEYS =
      new ClassValue<>() {
        @Override
        protected HystrixCommandKey computeValue(Class<?> type) {
          return HystrixCommandKey.Factory.asKey(nameOf(type));
        }
      };

  static CommandDescription of(
      Class<?> type,
      @Nullable HystrixCommandGroupKey group,
      @Nullable HystrixCommandKey key,
      @Nullable HystrixThreadPoolKey poolKey,
      HystrixCommandProperties.@Nullable Setter command,
      HystrixThreadPoolProperties.@Nullable Setter pool) {
    if (group == null) {
      throw new IllegalStateException(
          type.getName()
              + " was given no group: say HystrixCommandGroupKey.Factory.asKey(\"...\")");
    }
    HystrixCommandKey named =
        key != null && !Objects.requireNonNull(key.name(), "name").isBlank()
            ? key
            : DEFAULT_KEYS.get(type);
    return new CommandDescription(
        HystrixObservableCommand.class.isAssignableFrom(type) ? Brings.ITEMS : Brings.ONE_ANSWER,
        group,
        named,
        poolKey != null ? poolKey : HystrixThreadPoolKey.Factory.asKey(group.name()),
        command,
        pool);
  }

  /** The simple name; of an anonymous class, what follows the package. */
  static String nameOf(Class<?> type) {
    String simple = type.getSimpleName();
    return simple.isEmpty()
        ? type.getName().substring(type.getName().lastIndexOf('.') + 1)
        : simple;
  }
}
