// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.execution.Classification;
import dev.tenrec.core.execution.Pipeline;
import dev.tenrec.core.execution.WorkBody;
import dev.tenrec.core.work.CommandDefinition;
import dev.tenrec.core.work.Fallback;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Builds one command. See {@link CommandOptions} for what it shares with guards.
 *
 * @param <A> what the command is called with
 * @param <R> what it returns
 */
public final class CommandBuilder<A extends @Nullable Object, R extends @Nullable Object>
    extends CommandOptions<CommandBuilder<A, R>> {

  private final WorkBody<A, R> body;
  private @Nullable Fallback<A, R> fallback;
  private Predicate<@Nullable Object> failedResult = Classification.ANY_RESULT;

  CommandBuilder(Tenrec tenrec, String key, WorkBody<A, R> body) {
    super(tenrec, key);
    this.body = body;
    this.fallback = overriddenFallback(body);
  }

  @Override
  CommandBuilder<A, R> self() {
    return this;
  }

  /**
   * What answers when the work does not: it failed, timed out, was rejected, or the circuit was
   * open.
   */
  public CommandBuilder<A, R> fallback(Fallback<A, R> fallback) {
    this.fallback = Objects.requireNonNull(fallback, "fallback");
    return this;
  }

  /**
   * Results this accepts count as failures: for the circuit breaker, and so that the fallback
   * answers. Without a fallback the caller gets a FailedResultException that has the result.
   */
  @SuppressWarnings("unchecked") // it only sees results of this command
  public CommandBuilder<A, R> failIf(Predicate<? super R> failed) {
    Objects.requireNonNull(failed, "failed");
    failedResult = result -> failed.test((R) result);
    return this;
  }

  /**
   * The command. If its key was built before with the same settings, both share their circuit
   * breaker, permits and metrics.
   *
   * @throws IllegalArgumentException if a setting breaks a rule; the message says which, its value,
   *     and the rule. Virtual threads on a JVM without them are one
   * @throws IllegalStateException if the key was built before with other settings, if there are as
   *     many keys as allowed, or if this Tenrec is closed
   */
  public Command<A, R> build() {
    IsolationStrategy otherwise = body.isStaged() ? IsolationStrategy.SEMAPHORE : null;
    Registry.Entry entry = tenrec.registry().command(key, definition(otherwise));
    Classification classification = new Classification(ignored(), failedResult);
    return new Command<>(new Pipeline<>(entry.runtime(), body, fallback, classification));
  }

  /** A class that overrides a fallback has one; where in its hierarchy does not matter. */
  private static <A extends @Nullable Object, R extends @Nullable Object>
      @Nullable Fallback<A, R> overriddenFallback(WorkBody<A, R> body) {
    if (!(body instanceof WorkBody.Plain<A, R> plain)
        || !(plain.work() instanceof CommandDefinition<A, R> definition)) {
      return null;
    }
    try {
      Class<?> declaring =
          definition
              .getClass()
              .getMethod("fallback", Object.class, Throwable.class)
              .getDeclaringClass();
      return declaring == CommandDefinition.class ? null : definition::fallback;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(
          definition.getClass().getName() + " has no fallback method", e);
    }
  }
}
