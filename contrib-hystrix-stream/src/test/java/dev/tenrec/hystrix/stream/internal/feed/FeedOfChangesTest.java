// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.feed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A client of changes misses none, or is given all there is in their place. */
class FeedOfChangesTest {

  private static final Duration PATIENCE = PatientWaits.patience();
  private static final int BACKLOG = 3;

  private final AtomicInteger readings = new AtomicInteger();
  private final AtomicBoolean failing = new AtomicBoolean();

  private final FeedSource source =
      new FeedSource() {
        @Override
        public Runnable begin(Runnable onEnd) {
          return () -> {};
        }

        @Override
        public byte[] read() {
          return ("change " + readings.incrementAndGet()).getBytes(UTF_8);
        }

        @Override
        public boolean readsChanges() {
          return true;
        }

        @Override
        public byte[] whole() {
          if (failing.get()) {
            throw new IllegalStateException("on purpose");
          }
          return ("whole " + readings.get()).getBytes(UTF_8);
        }
      };

  private Feed feed(Duration stalledAfter) {
    return feed(stalledAfter, Ticker.system(), Waiter.system());
  }

  private Feed feed(Duration stalledAfter, Ticker ticker, Waiter waiter) {
    return new Feed(
        new FeedPlan("feed", 1_000_000, BACKLOG, 2, stalledAfter.toNanos(), ticker, waiter),
        source);
  }

  private static Seat.Client silent(AtomicBoolean ended) {
    return new Seat.Client() {
      @Override
      public void onWaiting() {}

      @Override
      public void onEnd() {
        ended.set(true);
      }
    };
  }

  /** What waits, but pings. */
  private static List<String> drain(Seat seat) {
    List<String> parts = new ArrayList<>();
    for (byte[] part = seat.poll(); part != null; part = seat.poll()) {
      String text = new String(part, UTF_8);
      if (!text.startsWith("ping")) {
        parts.add(text);
      }
    }
    return parts;
  }

  private static int number(String part) {
    return Integer.parseInt(part.substring(part.indexOf(' ') + 1));
  }

  @Test
  void client_thatFallsBehindAgainAndAgain_missesNoChange() {
    try (Feed feed = feed(Duration.ofMinutes(1))) {
      Seat seat = feed.take(silent(new AtomicBoolean()));
      int last = 0;
      int wholes = 0;
      for (int round = 0; round < 20; round++) {
        int seen = readings.get();
        int behind = round % 2 == 0 ? 10 * BACKLOG : 1;
        await().atMost(PATIENCE).until(() -> readings.get() >= seen + behind);
        for (String part : drain(seat)) {
          if (part.startsWith("whole")) {
            assertThat(number(part)).isGreaterThan(last);
            wholes++;
          } else {
            assertThat(number(part)).isEqualTo(last + 1);
          }
          last = number(part);
        }
      }
      assertThat(wholes).isGreaterThanOrEqualTo(10);
    }
  }

  @Test
  void client_thatThrows_isGivenUpAlone() {
    AtomicBoolean ended = new AtomicBoolean();
    Seat.Client throwing =
        new Seat.Client() {
          @Override
          public void onWaiting() {
            throw new IllegalStateException("the response was taken back");
          }

          @Override
          public void onEnd() {
            throw new IllegalStateException("it is given up, and not notified");
          }
        };
    try (Feed feed = feed(Duration.ofMinutes(1))) {
      Seat failed = feed.take(throwing);
      Seat seat = feed.take(silent(ended));
      await().atMost(PATIENCE).until(() -> feed.clients() == 1);
      assertThat(failed.isEnded()).isTrue();
      int seen = readings.get();
      await().atMost(PATIENCE).until(() -> readings.get() > seen + 1);
      assertThat(drain(seat)).isNotEmpty();
      assertThat(ended).isFalse();
    }
    assertThat(ended).isTrue();
  }

  @Test
  void client_thatTakesNothing_isSeenToStallHoweverOftenItIsGivenAll() {
    AtomicBoolean ended = new AtomicBoolean();
    ManualTime time = new ManualTime();
    try (Feed feed = feed(Duration.ofMillis(200), time, time)) {
      feed.take(silent(ended));
      for (int beats = 0; beats < 10; beats++) {
        await()
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(1))
            .atMost(PATIENCE)
            .until(() -> ended.get() || !time.waiting().isEmpty());
        time.advanceMillis(30);
      }
      await().atMost(PATIENCE).untilTrue(ended);
      assertThat(readings.get()).isGreaterThan(BACKLOG);
    }
  }

  @Test
  void client_whoseWholeCannotBeRead_getsNoChangesBeforeOne() {
    failing.set(true);
    try (Feed feed = feed(Duration.ofMinutes(1))) {
      Seat seat = feed.take(silent(new AtomicBoolean()));
      await().atMost(PATIENCE).until(() -> readings.get() >= 10);
      assertThat(drain(seat)).isEmpty();
      failing.set(false);
      List<String> parts = new ArrayList<>();
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                parts.addAll(drain(seat));
                return parts.size() > 1;
              });
      assertThat(parts.get(0)).startsWith("whole");
    }
  }
}
