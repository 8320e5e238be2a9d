// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import java.io.PrintStream;
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

  /** One that no logger can print. */
  private static final class Unprintable extends Error {

    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("of the logger");
    }

    @Override
    public String toString() {
      throw new IllegalStateException("of the logger");
    }

    @Override
    public void printStackTrace(PrintStream to) {
      throw new IllegalStateException("of the logger");
    }
  }

  private static Feed feed(FeedSource source) {
    ManualTime time = new ManualTime();
    return new Feed(new FeedPlan("feed", 1_000_000, 3, 3, PATIENCE.toNanos(), time, time), source);
  }

  @Test
  void feed_whoseEndCannotBeLogged_servesTheNextClient() {
    AtomicBoolean broken = new AtomicBoolean(true);
    FeedSource breaking =
        new FeedSource() {
          @Override
          public Runnable begin(Runnable onEnd) {
            return () -> {};
          }

          @Override
          public byte[] read() {
            if (broken.get()) {
              throw new Unprintable();
            }
            return new byte[] {1};
          }
        };
    AtomicBoolean firstEnded = new AtomicBoolean();
    try (Feed feed = feed(breaking)) {
      feed.take(client(firstEnded));
      await().atMost(PATIENCE).untilTrue(firstEnded);
      broken.set(false);
      AtomicBoolean nextEnded = new AtomicBoolean();
      Seat next = feed.take(client(nextEnded));
      await().atMost(PATIENCE).until(() -> next.poll() != null);
      assertThat(nextEnded).isFalse();
    }
  }

  /** As {@link Unprintable}, of those that clients throw. */
  private static final class UnprintableFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    @Override
    public void printStackTrace(PrintStream to) {
      throw new IllegalStateException("of the logger");
    }
  }

  /** A client that does this at its end. */
  private static Seat.Client failing(Runnable atItsEnd) {
    return new Seat.Client() {
      @Override
      public void onWaiting() {}

      @Override
      public void onEnd() {
        atItsEnd.run();
      }
    };
  }

  @Test
  void client_whoseFailureCannotBeLogged_isGivenUpAlone() {
    goOn.countDown();
    AtomicBoolean secondFailed = new AtomicBoolean();
    AtomicBoolean lastEnded = new AtomicBoolean();
    Feed feed = feed(source);
    feed.take(
        failing(
            () -> {
              throw new UnprintableFailure();
            }));
    feed.take(
        failing(
            () -> {
              secondFailed.set(true);
              throw new StackOverflowError("as told");
            }));
    feed.take(client(lastEnded));
    feed.close();
    assertThat(secondFailed).isTrue();
    assertThat(lastEnded).isTrue();
  }
}
