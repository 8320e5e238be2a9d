// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandRejectedException.Reason;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.NoFallback;
import dev.tenrec.hystrix.exception.ExceptionNotWrappedByHystrix;
import dev.tenrec.hystrix.exception.HystrixBadRequestException;
import dev.tenrec.hystrix.exception.HystrixRuntimeException;
import dev.tenrec.hystrix.exception.HystrixRuntimeException.FailureType;
import dev.tenrec.hystrix.exception.HystrixTimeoutException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What callers get for what kept an execution from its answer. */
final class Failures {

  private static final Set<HystrixEventType> CAUSES =
      EnumSet.of(
          HystrixEventType.FAILURE,
          HystrixEventType.TIMEOUT,
          HystrixEventType.BAD_REQUEST,
          HystrixEventType.SHORT_CIRCUITED,
          HystrixEventType.THREAD_POOL_REJECTED,
          HystrixEventType.SEMAPHORE_REJECTED);

  private Failures() {}

  /**
   * What a cause counts as.
   *
   * @param cause what the engine has
   * @param thrown what the work threw, if it did: that is a failure, even if it is one of Tenrec's
   */
  static HystrixEventType eventOf(Throwable cause, @Nullable Throwable thrown) {
    if (cause == thrown) {
      return cause instanceof HystrixBadRequestException
          ? HystrixEventType.BAD_REQUEST
          : HystrixEventType.FAILURE;
    }
    if (cause instanceof CommandTimeoutException) {
      return HystrixEventType.TIMEOUT;
    }
    if (cause instanceof CircuitOpenException) {
      return HystrixEventType.SHORT_CIRCUITED;
    }
    if (cause instanceof CommandRejectedException rejected) {
      return rejected.reason() == Reason.THREAD_POOL
          ? HystrixEventType.THREAD_POOL_REJECTED
          : HystrixEventType.SEMAPHORE_REJECTED;
    }
    return HystrixEventType.FAILURE;
  }

  /** The one of these events that says why the work did not answer; FAILURE if none does. */
  static HystrixEventType causeAmong(Set<HystrixEventType> events) {
    for (HystrixEventType event : events) {
      if (CAUSES.contains(event)) {
        return event;
      }
    }
    return HystrixEventType.FAILURE;
  }

  /** What {@code getExecutionException} has. */
  static Exception standIn(HystrixEventType why, Throwable cause) {
    return switch (why) {
      case TIMEOUT -> (Exception) new HystrixTimeoutException().initCause(cause);
      case SHORT_CIRCUITED ->
          new RuntimeException("Hystrix circuit short-circuited and is OPEN", cause);
      case THREAD_POOL_REJECTED -> new RejectedExecutionException(cause.getMessage(), cause);
      case SEMAPHORE_REJECTED ->
          new RuntimeException("could not acquire a semaphore for execution", cause);
      default -> asException(cause);
    };
  }

  static Exception asException(Throwable cause) {
    return cause instanceof Exception exception
        ? exception
        : new Exception("Throwable caught while executing.", cause);
  }

  /**
   * What callers get.
   *
   * @param command whose execution it is
   * @param events all of it
   * @param cause why the work did not answer
   * @param standIn the same, as {@code getExecutionException} has it
   * @param fallbackError why the fallback did not either; null if it was not asked
   */
  static Throwable of(
      AbstractCommand<?> command,
      Set<HystrixEventType> events,
      Throwable cause,
      Exception standIn,
      @Nullable Throwable fallbackError) {
    HystrixEventType why = causeAmong(events);
    if (why == HystrixEventType.BAD_REQUEST) {
      return command.onError(
          FailureType.BAD_REQUEST_EXCEPTION,
          cause instanceof HystrixBadRequestException bad
              ? bad
              : new HystrixBadRequestException(cause.getMessage(), cause),
          cause);
    }
    if (why == HystrixEventType.FAILURE && cause instanceof ExceptionNotWrappedByHystrix) {
      return cause instanceof Exception own
          ? command.onError(FailureType.COMMAND_EXCEPTION, own, cause)
          : cause;
    }
    Exception wrapped =
        why == HystrixEventType.TIMEOUT
            ? (Exception) new TimeoutException().initCause(cause)
            : standIn;
    if (events.contains(HystrixEventType.FALLBACK_REJECTION)) {
      return new HystrixRuntimeException(
          FailureType.REJECTED_SEMAPHORE_FALLBACK,
          command.getClass(),
          command.key() + " fallback execution rejected.",
          wrapped,
          null);
    }
    return new HystrixRuntimeException(
        typeOf(why),
        command.getClass(),
        command.key() + " " + wordsOf(why) + " and " + fallbackWords(events, why, cause),
        command.onError(typeOf(why), wrapped, cause),
        fallbackError == null ? null : asException(fallbackError));
  }

  private static FailureType typeOf(HystrixEventType why) {
    return switch (why) {
      case TIMEOUT -> FailureType.TIMEOUT;
      case SHORT_CIRCUITED -> FailureType.SHORTCIRCUIT;
      case THREAD_POOL_REJECTED -> FailureType.REJECTED_THREAD_EXECUTION;
      case SEMAPHORE_REJECTED -> FailureType.REJECTED_SEMAPHORE_EXECUTION;
      default -> FailureType.COMMAND_EXCEPTION;
    };
  }

  private static String wordsOf(HystrixEventType why) {
    return switch (why) {
      case TIMEOUT -> "timed-out";
      case SHORT_CIRCUITED -> "short-circuited";
      case THREAD_POOL_REJECTED -> "could not be queued for execution";
      case SEMAPHORE_REJECTED -> "could not acquire a semaphore for execution";
      default -> "failed";
    };
  }

  private static String fallbackWords(
      Set<HystrixEventType> events, HystrixEventType why, Throwable cause) {
    if (events.contains(HystrixEventType.FALLBACK_FAILURE)) {
      return "fallback failed.";
    }
    if (events.contains(HystrixEventType.FALLBACK_MISSING)) {
      return "no fallback available.";
    }
    return why == HystrixEventType.FAILURE && asksNoFallback(cause)
        ? "encountered unrecoverable error."
        : "fallback disabled.";
  }

  /** Whether the engine runs no fallback for what the work threw. */
  @SuppressWarnings("removal") // ThreadDeath: still thrown by Thread.stop on 17
  static boolean asksNoFallback(Throwable cause) {
    return cause instanceof NoFallback
        || cause instanceof VirtualMachineError
        || cause instanceof LinkageError
        || cause instanceof ThreadDeath;
  }

  /** Throws anything, checked or not. */
  @SuppressWarnings("unchecked") // the type is gone at run time: that is the point
  static <X extends Throwable> RuntimeException thrown(Throwable any) throws X {
    throw (X) any;
  }
}
