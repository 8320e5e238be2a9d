// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.door;

import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.LastingReceiver;
import dev.tenrec.core.internal.call.Pipeline;
import dev.tenrec.core.outcome.Receiver;
import org.jspecify.annotations.Nullable;

/**
 * One subscription of a command, or one call with a receiver: an execution that starts with it and
 * is given up by its disposal, after which nothing is received.
 *
 * @param <A> what the command is called with
 * @param <R> what it returns
 * @param <T> what the observer receives
 */
public final class RxReceiver<
        A extends @Nullable Object, R extends @Nullable Object, T extends @Nullable Object>
    extends LastingReceiver<R> implements RxSubscription {

  private final Pipeline<A, R> pipeline;
  private final A argument;
  private final NotifyingReceiver<R, T> notifying;
  private final Receiver<? super T> observer;

  /**
   * Written by the subscribing thread before it starts the execution, and before it looks at
   * disposed. Read by the disposing thread after it has set disposed. Ordered by volatile access:
   * at least one of the two threads sees what the other did. Set to null by the thread that ends or
   * disposes it, because a disposable may be kept for long.
   */
  private volatile @Nullable Execution<A, R> execution;

  /** Written by the disposing thread, read by any thread, ordered by volatile access. */
  private volatile boolean disposed;

  public RxReceiver(
      Pipeline<A, R> pipeline,
      A argument,
      NotifyingReceiver<R, T> notifying,
      Receiver<? super T> observer) {
    this.pipeline = pipeline;
    this.argument = argument;
    this.notifying = notifying;
    this.observer = observer;
  }

  @Override
  public void start() {
    Execution<A, R> prepared = pipeline.prepare(argument, this);
    execution = prepared;
    if (!disposed) {
      pipeline.run(prepared);
    }
  }

  /** Takes what memory it needs first: the observer is called once. */
  @Override
  protected void run() {
    Execution<A, R> ended = execution;
    if (ended == null) {
      return; // disposed meanwhile, and too late to be cancelled
    }
    Throwable error = notifying.error(ended);
    if (error == null) {
      T value = notifying.value(ended);
      execution = null;
      observer.onValue(value);
    } else {
      execution = null;
      observer.onError(error);
    }
  }

  @Override
  public boolean runsAgain() {
    return execution != null; // the observer was not called
  }

  @Override
  public void dispose() {
    disposed = true;
    Execution<A, R> started = execution;
    if (started != null) {
      started.cancel(started.interruptsOnCancel());
      execution = null;
    }
  }

  @Override
  public boolean isDisposed() {
    return disposed;
  }
}
