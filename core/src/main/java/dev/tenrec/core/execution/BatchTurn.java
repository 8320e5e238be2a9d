// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

/** The start of a batch, or of a shard of it, on its way to a thread of the command's share. */
final class BatchTurn extends TimedTask {

  private final Runnable start;
  private final Runnable late;
  private final Runnable closed;

  /**
   * Not handed over yet.
   *
   * @param start on a thread of the share
   * @param late instead, if it was not begun in time; on the timer's thread, again if it throws
   * @param closed instead, if the Tenrec closes before; on the closing thread
   */
  BatchTurn(Runnable start, Runnable late, Runnable closed) {
    this.start = start;
    this.late = late;
    this.closed = closed;
  }

  @Override
  void begin() {
    start.run();
  }

  @Override
  void notBegun(long deadlineNanos) {
    withdraw();
  }

  @Override
  void withdrawn() {
    late.run();
  }

  @Override
  protected void abort() {
    if (claim()) {
      closed.run();
    }
  }
}
