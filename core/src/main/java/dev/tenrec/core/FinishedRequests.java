// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import io.reactivex.rxjava3.core.BackpressureOverflowStrategy;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.processors.FlowableProcessor;
import io.reactivex.rxjava3.processors.PublishProcessor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells subscribers of the requests that close. Thread-safe. */
final class FinishedRequests {

  private static final Logger LOG = LoggerFactory.getLogger(FinishedRequests.class);

  /** How many may wait for one slow subscriber; beyond that it loses the oldest. */
  static final int BUFFER = 1_000;

  private final FlowableProcessor<FinishedRequest> all =
      PublishProcessor.<FinishedRequest>create().toSerialized();

  Flowable<FinishedRequest> stream() {
    return all.onBackpressureBuffer(BUFFER, () -> {}, BackpressureOverflowStrategy.DROP_OLDEST);
  }

  /** Whether anybody would hear of one. */
  boolean areHeard() {
    return all.hasSubscribers();
  }

  void finished(FinishedRequest request) {
    try {
      all.onNext(request);
    } catch (Throwable thrown) { // a subscriber's: closing a request must not fail by it
      LOG.warn("a subscriber of finished requests failed", thrown);
    }
  }

  void close() {
    all.onComplete();
  }
}
