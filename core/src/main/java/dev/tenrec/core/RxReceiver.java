// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.execution.Execution;
import dev.tenrec.core.execution.Pipeline;
import dev.tenrec.core.outcome.Receiver;
import io.reactivex.rxjava3.disposables.Disposable;
import org.jspecify.annotations.Nullable;

/**
 * One subscription of a single or maybe: an execution that starts with it and is given up by its
 * disposal.
 *
 * @param <A> what the command is called with
 * @param <R> what it returns
 */
abstract class RxReceiver<A extends @Nullable Object, R extends @Nullable Object>
    implements Receiver<R>, Disposable {

  final Pipeline<A, R> pipeline;

  /**
   * Written by the subscriber before it starts the execution, and before it looks at disposed; read
   * by who disposes, who set disposed before: one of both sees the other.
   */
  private volatile @Nullable Execution<A, R> execution;

  /** Written by who disposes, read by all. */
  private volatile boolean disposed;

  RxReceiver(Pipeline<A, R> pipeline) {
    this.pipeline = pipeline;
  }

  /** After onSubscribe. What was disposed by then never runs. */
  void start(A argument) {
    Execution<A, R> prepared = pipeline.prepare(argument, this);
    execution = prepared;
    if (!disposed) {
      pipeline.run(prepared);
    }
  }

  @Override
  public void dispose() {
    disposed = true;
    Execution<A, R> started = execution;
    if (started != null) {
      started.cancel(pipeline.runtime().interruptsOnCancel());
    }
  }

  @Override
  public boolean isDisposed() {
    return disposed;
  }
}
