// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.stream;

import org.reactivestreams.Subscription;

/**
 * What a subscriber holds of its stream. Not the {@link StreamBridge} itself: that has a monitor,
 * which a user's lock on its subscription must not hold, or it would stop the timer.
 */
record Demand(StreamBridge<?> bridge) implements Subscription {

  @Override
  public void request(long n) {
    bridge.request(n);
  }

  @Override
  public void cancel() {
    bridge.cancel();
  }
}
