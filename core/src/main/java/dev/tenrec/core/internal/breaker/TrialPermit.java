// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.breaker;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A trial's place in a half-open period: kept until it ends, but no longer than the rules say if
 * another trial wants it.
 */
final class TrialPermit implements Permission {

  /** The opening whose half-open period this trial belongs to. */
  final Open period;

  final long takenAtNanos;

  /** Written by the first thread that ends the trial, read by all other threads that try to. */
  private final AtomicBoolean ended = new AtomicBoolean();

  TrialPermit(Open period, long takenAtNanos) {
    this.period = period;
    this.takenAtNanos = takenAtNanos;
  }

  /**
   * A reading of the clock that is older than the lease, from a thread that was held up, makes a
   * negative age: not expired.
   */
  boolean isExpired(long now, long leaseNanos) {
    return now - takenAtNanos >= leaseNanos;
  }

  /**
   * Whether the caller is the first to end this trial. One that stops for ever between this and its
   * change of the state has the effect of a trial that never ends: its lease expires.
   */
  boolean claimEnding() {
    return ended.compareAndSet(false, true);
  }
}
