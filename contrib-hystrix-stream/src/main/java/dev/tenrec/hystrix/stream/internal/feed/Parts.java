// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.feed;

import org.jspecify.annotations.Nullable;

/** What a client takes part by part. Thread-safe. */
public interface Parts {

  /** The next part; null if there is none at present. */
  byte @Nullable [] poll();

  /** Whether there will be no more. */
  boolean isEnded();

  /** The client has gone. Idempotent; its {@link Seat.Client#onEnd} is not called. */
  void leave();
}
