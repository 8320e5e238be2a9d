// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.internal.gate.Plan;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandFailedException;
import dev.tenrec.core.outcome.CommandInterruptedException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.CommandTimeoutException.Limit;
import dev.tenrec.core.outcome.FailedResultException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** What callers get to see when there is no answer. */
public final class Errors {

  private static final String NO_MEMORY = "a command without memory to say which";

  /** The time-out where there is no memory for one that says more. */
  @SuppressWarnings("StaticAssignmentOfThrowable") // stackless, and nothing is ever added to it
  static final CommandTimeoutException BARE_TIMEOUT =
      new CommandTimeoutException(NO_MEMORY, 0, 0, true, false);

  /** The cancellation by its caller where there is no memory for one that says more. */
  @SuppressWarnings("StaticAssignmentOfThrowable") // nothing is ever added to it
  static final CancellationException BARE_CANCELLATION = cancelled(NO_MEMORY);

  /** The rejection where there is no memory for one that says more. */
  @SuppressWarnings("StaticAssignmentOfThrowable") // stackless, and nothing is ever added to it
  static final CommandRejectedException BARE_REJECTION =
      new CommandRejectedException(
          NO_MEMORY, CommandRejectedException.Reason.SEMAPHORE, NO_MEMORY, 0, 0, false);

  private Errors() {}

  /**
   * What {@code execute} throws: unchecked as it is, checked wrapped once. An Error is thrown here.
   */
  public static RuntimeException toThrow(String commandKey, Throwable error) {
    if (error instanceof Error e) {
      throw e;
    }
    return error instanceof RuntimeException e ? e : new CommandFailedException(commandKey, error);
  }

  /**
   * What the caller receives: the cause. Where the cause is this call's own, it is a copy that has
   * the fallback's error attached. A copy, because the cause itself was handed to the fallback,
   * whose error may lead back to it, and because all calls share the cause of an open circuit. An
   * exception that came out of the work is left as it is, one of Tenrec's too: it may be another
   * command's, or remembered.
   *
   * @param own whether the engine made the cause for this call
   */
  static Throwable withFallbackError(
      Throwable cause, boolean own, @Nullable Throwable fallbackError, boolean stackTraces) {
    if (!own || fallbackError == null || fallbackError == cause) {
      return cause;
    }
    if (cause instanceof CircuitOpenException open) {
      return open.fresh(fallbackError, stackTraces);
    } else if (cause instanceof CommandTimeoutException timeout) {
      return timeout.fresh(fallbackError, stackTraces);
    } else if (cause instanceof CommandRejectedException rejection) {
      return rejection.fresh(fallbackError, stackTraces);
    } else if (cause instanceof FailedResultException result) {
      return result.fresh(fallbackError, stackTraces);
    }
    return cause;
  }

  /**
   * Why the circuit refuses this call: the one exception for all calls, or a copy that has the
   * stack trace of this one. Throws nothing.
   */
  static Throwable refused(CircuitOpenException why, boolean stackTraces) {
    if (!stackTraces) {
      return why;
    }
    try {
      return why.fresh(null, true);
    } catch (OutOfMemoryError e) { // the call has yet to be counted and answered
      return why;
    }
  }

  static CommandTimeoutException timeout(Execution<?, ?> execution) {
    long elapsed = execution.pipeline.now() - execution.startNanos;
    return timeout(
        execution.pipeline, execution.plan, execution.limitNanos(), elapsed, execution.workBegan());
  }

  /**
   * The error of an attempt that has not ended within the time-out of each.
   *
   * @param elapsedNanos since the attempt began
   */
  public static CommandTimeoutException timeout(
      Execution<?, ?> attempt, long limitNanos, long elapsedNanos) {
    return new CommandTimeoutException(
        attempt.commandKey(),
        Limit.ATTEMPT,
        limitNanos,
        elapsedNanos,
        attempt.hasRun(),
        attempt.pipeline.runtime.stackTraces);
  }

  /**
   * The error of a call that has not ended within its limit.
   *
   * @param limitNanos the command's time-out; less if the deadline came first of the call that this
   *     one was made in; 0 or less if that had passed before
   */
  static CommandTimeoutException timeout(
      Pipeline<?, ?> pipeline, Plan plan, long limitNanos, long elapsedNanos, boolean workBegan) {
    return new CommandTimeoutException(
        pipeline.commandKey(),
        limitNanos < plan.timeoutNanos ? Limit.DEADLINE : Limit.EXECUTION,
        limitNanos,
        elapsedNanos,
        workBegan,
        pipeline.runtime.stackTraces);
  }

  /**
   * An interrupt that throws an InterruptedException clears the flag; on its own thread the caller
   * wants to find it. One that was not of this thread leaves the flag alone.
   */
  public static void keepInterrupt(@Nullable Throwable thrown, boolean onCaller) {
    if (onCaller
        && thrown instanceof InterruptedException interrupted
        && InterruptOrigin.mayBeHere(interrupted)) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Whether this thread was interrupted at its work, or at a command that its work has executed,
   * after {@link #keepInterrupt}; the exception alone may be of another thread, brought here by a
   * stage or by a client.
   */
  static boolean isInterrupted(Throwable thrown) {
    return (thrown instanceof InterruptedException || thrown instanceof CommandInterruptedException)
        && Thread.currentThread().isInterrupted();
  }

  public static CommandInterruptedException interrupted(String commandKey, boolean stackTraces) {
    return new CommandInterruptedException(commandKey, stackTraces);
  }

  /** What {@link #isInterrupted} says of the work's. */
  public static CommandInterruptedException interrupted(
      String commandKey, Throwable cause, boolean stackTraces) {
    InterruptedException interrupt;
    if (cause instanceof InterruptedException own) {
      interrupt = own;
    } else { // of a command that its work has executed
      interrupt = new InterruptedException(cause.getMessage());
      interrupt.initCause(cause);
    }
    return new CommandInterruptedException(commandKey, interrupt, stackTraces);
  }

  public static CancellationException cancelled(String commandKey) {
    return new CancellationException(commandKey + " was cancelled by its caller");
  }

  public static CancellationException sharedRunInterrupted(String commandKey) {
    return new CancellationException(
        commandKey + " was cancelled: the caller whose run it shared was interrupted in it");
  }

  public static CancellationException closed(String commandKey) {
    return new CancellationException(commandKey + " was cancelled: its Tenrec was closed");
  }

  /** A stage wraps what it failed with in a CompletionException, once for each step in between. */
  public static @Nullable Throwable unwrap(@Nullable Throwable thrown) {
    Throwable inner = thrown;
    while (inner instanceof CompletionException && inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner;
  }

  static <R extends @Nullable Object> CompletionStage<R> requireStage(
      String commandKey, @Nullable CompletionStage<R> stage) {
    if (stage == null) {
      throw new NullPointerException(
          commandKey + ": its asynchronous work returned null, a CompletionStage was expected");
    }
    return stage;
  }

  public static <R> Publisher<R> requirePublisher(
      String commandKey, String whose, @Nullable Publisher<R> publisher) {
    if (publisher == null) {
      throw new NullPointerException(
          commandKey + ": its " + whose + " returned null, a Publisher was expected");
    }
    return publisher;
  }

  public static <T> T present(@Nullable T value) {
    if (value == null) {
      throw new AssertionError("set before the ending went to its fallback");
    }
    return value;
  }
}
