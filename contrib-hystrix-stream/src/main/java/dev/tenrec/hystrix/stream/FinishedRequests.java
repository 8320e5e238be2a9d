// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.context.RequestLog;
import dev.tenrec.hystrix.stream.internal.event.RequestEvents;
import dev.tenrec.hystrix.stream.internal.feed.FeedSource;
import io.reactivex.rxjava3.disposables.Disposable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The requests that closed since the last reading, of which the last 1,000 are kept. */
final class FinishedRequests implements FeedSource {

  private static final int KEPT = 1_000;

  private final Tenrec tenrec;

  /** Guarded by itself. */
  private final ArrayDeque<RequestLog> finished = new ArrayDeque<>();

  FinishedRequests(Tenrec tenrec) {
    this.tenrec = tenrec;
  }

  @Override
  public Runnable begin(Runnable onEnd) {
    Disposable following =
        tenrec
            .finishedRequests()
            .subscribe(request -> keep(request.log()), error -> onEnd.run(), onEnd::run);
    return () -> {
      following.dispose();
      take();
    };
  }

  private void keep(RequestLog log) {
    if (log.entries().isEmpty()) {
      return;
    }
    synchronized (finished) {
      if (finished.size() == KEPT) {
        finished.remove();
      }
      finished.add(log);
    }
  }

  private List<RequestLog> take() {
    synchronized (finished) {
      List<RequestLog> taken = new ArrayList<>(finished);
      finished.clear();
      return taken;
    }
  }

  @Override
  public byte[] read() {
    return RequestEvents.of(take());
  }
}
