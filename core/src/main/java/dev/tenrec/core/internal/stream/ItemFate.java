// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.stream;

import org.jspecify.annotations.Nullable;

/** What becomes of an item that a publisher sends. */
enum ItemFate {
  PASSES,
  /** Its turn is over, or the subscriber has left. */
  DROPPED,
  /** Its limit has passed. */
  LATE,
  BEFORE_SUBSCRIPTION("sent an item before it called onSubscribe"),
  TWO_AT_ONCE("sent two items at once, from two threads"),
  UNASKED("sent an item nobody had asked for");

  /** Which rule the publisher broke; null if none. */
  final @Nullable String wrong;

  ItemFate() {
    this.wrong = null;
  }

  ItemFate(String wrong) {
    this.wrong = wrong;
  }
}
