// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A source that ends, and the clients that come about then. */
class FeedTest {

  private static final Duration PATIENCE = PatientWaits.patience();

  private final CountDownLatch reading = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final List<Runnable> ends = new CopyOnWriteArrayList<>();

  private final FeedSource source =
      new FeedSource() {
        @Override
        public Runnable begin(Runnable onEnd) {
          ends.add(onEnd);
          return () -> {};
        }

        @Override
        public byte[] read() {
          reading.countDown();
          try {
            goOn.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return new byte[] {1};
        }
      };

  private static Seat.Client client(AtomicBoolean ended) {
    return new Seat.Client() {
      @Override
      public void onWaiting() {}

      @Override
      public void onEnd() {
        ended.set(true);
      }
    };
  }

  @Test
  void client_thatComesBeforeTheSourcesEndIsSeen_hasTheSourceBegunAnewAndEndsWithIt()
      throws Exception {
    ManualTime time = new ManualTime();
    AtomicBoolean firstEnded = new AtomicBoolean();
    AtomicBoolean lateEnded = new AtomicBoolean();
    try (Feed feed =
        new Feed(new FeedPlan("feed", 1_000_000, 3, 2, PATIENCE.toNanos(), time, time), source)) {
      feed.take(client(firstEnded));
      reading.await();
      ends.get(0).run();
      assertThat(firstEnded).isTrue();
      feed.take(client(lateEnded));
      goOn.countDown();

      await().atMost(PATIENCE).until(() -> ends.size() == 2);
      assertThat(lateEnded).isFalse();
      ends.get(1).run();
      assertThat(lateEnded).isTrue();
      await().atMost(PATIENCE).until(() -> feed.clients() == 0);
    }
  }
}
