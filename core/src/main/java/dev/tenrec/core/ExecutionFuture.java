// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.execution.Execution;
import dev.tenrec.core.outcome.Receiver;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The future of one execution. Completed by it; completed or cancelled by anybody else, it gives
 * the execution up.
 *
 * @param <R> what the command returns
 */
final class ExecutionFuture<R extends @Nullable Object> extends CompletableFuture<R> {

  private final boolean interruptsOnCancel;

  /** Written before the execution starts, by the thread that publishes this future. */
  private @Nullable Execution<?, R> execution;

  ExecutionFuture(boolean interruptsOnCancel) {
    this.interruptsOnCancel = interruptsOnCancel;
  }

  void follow(Execution<?, R> started) {
    execution = started;
  }

  Receiver<R> receiver() {
    return new Receiver<>() {
      @Override
      public void onValue(R value) {
        ExecutionFuture.super.complete(value);
      }

      @Override
      public void onError(Throwable error) {
        // a CancellationException counts as cancelled all the same, and keeps its words
        ExecutionFuture.super.completeExceptionally(error);
      }
    };
  }

  private void giveUp(boolean interrupt) {
    Execution<?, R> followed = execution;
    if (followed != null) {
      followed.cancel(interrupt);
    }
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean cancelled = super.cancel(mayInterruptIfRunning);
    if (cancelled) {
      giveUp(mayInterruptIfRunning && interruptsOnCancel);
    }
    return cancelled;
  }

  @Override
  public boolean complete(R value) {
    boolean completed = super.complete(value);
    if (completed) {
      giveUp(interruptsOnCancel);
    }
    return completed;
  }

  @Override
  public boolean completeExceptionally(Throwable error) {
    boolean completed = super.completeExceptionally(error);
    if (completed) {
      giveUp(interruptsOnCancel);
    }
    return completed;
  }

  @Override
  public void obtrudeValue(R value) {
    super.obtrudeValue(value);
    giveUp(interruptsOnCancel);
  }

  @Override
  public void obtrudeException(Throwable error) {
    super.obtrudeException(error);
    giveUp(interruptsOnCancel);
  }

  /** Stages that depend on this one are ordinary: completing them does not touch the execution. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
