// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.stream;

import dev.tenrec.metrics.PatientWaits;
import org.reactivestreams.tck.TestEnvironment;

/**
 * How long the TCK of Reactive Streams waits. What must come may take as long as a loaded machine
 * wants, because it is waited for only until it comes; what must not come is waited for to the end
 * each time, and a short wait can only miss something.
 */
final class TckEnvironment {

  private static final long MUST_NOT_COME_MILLIS = 20;
  private static final long POLL_MILLIS = 2;

  /** From a cancellation to a garbage collection. */
  static final long COLLECTION_MILLIS = 20;

  private TckEnvironment() {}

  static TestEnvironment create() {
    long mustComeMillis = PatientWaits.patience().toMillis();
    return new TestEnvironment(mustComeMillis, MUST_NOT_COME_MILLIS, POLL_MILLIS);
  }
}
