// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import dev.tenrec.core.internal.call.TaskWithDeadline;

/** The start of a batch, or of a shard of it, on its way to a thread of the command's share. */
final class BatchStartTask extends TaskWithDeadline {

  private final Runnable start;
  private final Runnable late;
  private final Runnable closed;

  /** Whether it is claimed for {@link #closed}, which has not returned. The closing thread's. */
  private boolean closing;

  /**
   * Not handed over yet.
   *
   * @param start on a thread of the share
   * @param late instead, if it was not begun in time; on the timer's thread, again if it throws
   * @param closed instead, if the Tenrec closes before; on the closing thread, again if it throws
   */
  BatchStartTask(Runnable start, Runnable late, Runnable closed) {
    this.start = start;
    this.late = late;
    this.closed = closed;
  }

  @Override
  public void begin() {
    start.run();
  }

  @Override
  public void notBegun(long deadlineNanos) {
    withdraw();
  }

  @Override
  public void withdrawn() {
    late.run();
  }

  @Override
  protected void abort() {
    if (closing || claim()) {
      closing = true;
      closed.run();
      closing = false;
    }
  }
}
