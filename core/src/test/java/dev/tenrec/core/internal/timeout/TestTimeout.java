// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.timeout;

import java.util.concurrent.atomic.AtomicInteger;

/** A time-out that counts its expiries and ends when asked to, or when it expires. */
class TestTimeout extends Timeout {

  final AtomicInteger expiries = new AtomicInteger();
  volatile boolean ended;
  volatile Thread expiredOn;

  TestTimeout(long deadlineNanos) {
    super(deadlineNanos);
  }

  @Override
  protected boolean isEnded() {
    return ended;
  }

  @Override
  protected void expired() {
    expiredOn = Thread.currentThread();
    ended = true;
    expiries.incrementAndGet();
  }
}
