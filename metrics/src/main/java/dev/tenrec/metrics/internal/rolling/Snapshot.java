// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.rolling;

import org.jspecify.annotations.Nullable;

/**
 * What some counters had reached at a moment, stored as their growth since the snapshot before: a
 * small range of them, as a rule.
 */
final class Snapshot {

  final long fromNanos;
  final Counts growth;

  /** The snapshot taken after this. */
  @Nullable Snapshot next;

  Snapshot(long fromNanos, Counts growth) {
    this.fromNanos = fromNanos;
    this.growth = growth;
  }
}
