// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.execution.Execution;
import dev.tenrec.core.outcome.Receiver;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The future of one execution. Completed by it; completed or cancelled by anybody else, it gives
 * the execution up, unless its ending was decided before: this future tells what was counted.
 *
 * @param <R> what the command returns
 * @param <T> what this is completed with
 */
final class ExecutionFuture<R extends @Nullable Object, T extends @Nullable Object>
    extends CompletableFuture<T> {

  private final Telling<R, T> telling;
  private final boolean interruptsOnCancel;

  /**
   * Written before the execution starts, by the thread that publishes this future; null again once
   * the future is completed, because futures are kept, and an execution has its caller's context.
   * Who cancels and finds null in the middle of that is refused by the completed future.
   */
  private @Nullable Execution<?, R> execution;

  ExecutionFuture(Telling<R, T> telling, boolean interruptsOnCancel) {
    this.telling = telling;
    this.interruptsOnCancel = interruptsOnCancel;
  }

  void follow(Execution<?, R> started) {
    execution = started;
  }

  Receiver<R> receiver() {
    return new Receiver<>() {
      @Override
      public void onValue(R value) {
        ended();
      }

      @Override
      public void onError(Throwable error) {
        ended();
      }
    };
  }

  /** By the execution. */
  private void ended() {
    Execution<?, R> ended = Objects.requireNonNull(execution);
    Throwable error = telling.error(ended);
    // a CancellationException counts as cancelled all the same, and keeps its words
    boolean unused =
        done(
            error == null
                ? super.complete(telling.value(ended))
                : super.completeExceptionally(error));
  }

  /**
   * The execution first: who claims its ending decides what this future tells. False if the ending
   * was decided before; its answer is on the way then, and nothing else may be seen in its place.
   */
  private boolean givenUp(boolean interrupt) {
    Execution<?, R> followed = execution;
    return !isDone() && (followed == null || followed.cancel(interrupt));
  }

  private boolean done(boolean byThis) {
    execution = null;
    return byThis;
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return givenUp(mayInterruptIfRunning && interruptsOnCancel)
        ? done(super.cancel(mayInterruptIfRunning))
        : isCancelled();
  }

  @Override
  public boolean complete(T value) {
    return givenUp(interruptsOnCancel) && done(super.complete(value));
  }

  @Override
  public boolean completeExceptionally(Throwable error) {
    return givenUp(interruptsOnCancel) && done(super.completeExceptionally(error));
  }

  @Override
  public void obtrudeValue(T value) {
    boolean unused = givenUp(interruptsOnCancel); // forced on whoever looks, decided or not
    super.obtrudeValue(value);
  }

  @Override
  public void obtrudeException(Throwable error) {
    boolean unused = givenUp(interruptsOnCancel);
    super.obtrudeException(error);
  }

  /** Stages that depend on this one are ordinary: completing them does not touch the execution. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
