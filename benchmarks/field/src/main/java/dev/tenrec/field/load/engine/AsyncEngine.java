// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.engine;

import java.util.concurrent.RejectedExecutionException;

/** Calls on the thread that fires, which does not wait. */
final class AsyncEngine implements Engine {

  /** Written by the closing thread, read by the firing threads. */
  private volatile boolean closed;

  @Override
  public void fire(Shot shot) {
    if (closed) {
      shot.drop(new RejectedExecutionException("the load has ended"));
    } else {
      shot.sendAsync();
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
