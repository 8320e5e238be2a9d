// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.FailedResultException;
import dev.tenrec.core.outcome.NoFallback;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What counts, and as what. A {@link java.util.concurrent.RejectedExecutionException} or {@link
 * UnsupportedOperationException} of the user's is a failure like any other.
 *
 * @param ignored the exceptions that are the caller's fault, beside {@link BadRequestException}
 * @param failedResult the results that count as failures
 */
public record Classification(
    Predicate<Throwable> ignored, Predicate<@Nullable Object> failedResult) {

  /** No exception is ignored. */
  public static final Predicate<Throwable> NOTHING_IGNORED = thrown -> false;

  /** Every result is a success. Compared by identity, so that the hot path calls no predicate. */
  public static final Predicate<@Nullable Object> ANY_RESULT = result -> false;

  /** The defaults. */
  public static final Classification DEFAULT = new Classification(NOTHING_IGNORED, ANY_RESULT);

  /**
   * By class, because until JDK 23 an object is searched each time for an interface that it does
   * not have, as {@link NoFallback}: 14 of a failing call's 91 ns
   * (FailingCall.tenrecFallbackValue).
   */
  private static final ClassValue<Boolean> UNRECOVERABLE =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return isUnrecoverable(type);
        }
      };

  static { // what a class value needs for its first class, before a call without memory has one
    boolean unused = UNRECOVERABLE.get(Throwable.class);
  }

  /** Whether it says nothing of the dependency. Throws what the user's predicate throws. */
  boolean isIgnored(Throwable thrown) {
    return thrown instanceof BadRequestException || ignored.test(thrown);
  }

  /**
   * Null if {@code result} is a success, else why it is not: its own exception, or what the user's
   * predicate threw.
   */
  @Nullable Throwable errorOf(@Nullable Object result, String commandKey, boolean stackTraces) {
    if (!looksAtResults()) {
      return null;
    }
    try {
      return failedResult.test(result)
          ? new FailedResultException(commandKey, result, stackTraces)
          : null;
    } catch (Throwable predicate) {
      return predicate;
    }
  }

  /**
   * Whether {@link #errorOf} made {@code failure} of {@code result}. If not, a predicate threw it,
   * which had asked another command.
   */
  static boolean isOwn(Throwable failure, @Nullable Object result, String commandKey) {
    return failure instanceof FailedResultException failed
        && failed.result() == result
        && failed.commandKey().equals(commandKey);
  }

  /** Whether any result may fail. */
  boolean looksAtResults() {
    return failedResult != ANY_RESULT;
  }

  /**
   * An error of the JVM itself, or an exception marked so, which no fallback should hide. An error
   * is recognized by its own type, not by that of a cause: an exception that wraps one is something
   * its thrower could still handle.
   */
  public static boolean isUnrecoverable(Throwable thrown) {
    try {
      return UNRECOVERABLE.get(thrown.getClass());
    } catch (VirtualMachineError e) { // no memory to remember the class with
      return isUnrecoverable(thrown.getClass());
    }
  }

  @SuppressWarnings("removal") // ThreadDeath: still thrown by Thread.stop on 17
  private static boolean isUnrecoverable(Class<?> type) {
    return VirtualMachineError.class.isAssignableFrom(type)
        || LinkageError.class.isAssignableFrom(type)
        || ThreadDeath.class.isAssignableFrom(type)
        || NoFallback.class.isAssignableFrom(type);
  }
}
