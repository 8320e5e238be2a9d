// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.hystrix.stream.internal.feed.Feed;
import dev.tenrec.hystrix.stream.internal.feed.FeedPlan;
import dev.tenrec.hystrix.stream.internal.feed.FeedSource;
import dev.tenrec.hystrix.stream.internal.feed.Seat;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client whose write is under way when its stream ends, where the test says for how long. */
class BlockingClientTest {

  private static final Duration PATIENCE = PatientWaits.patience();
  private static final Duration STALL = Duration.ofSeconds(10);

  /** What was to run in a moment; it runs when the test says so. */
  private static final class Moments extends ScheduledThreadPoolExecutor {

    private final LinkedBlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();

    Moments() {
      super(1);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
      waiting.add(task);
      return super.schedule(() -> {}, 0, unit);
    }

    void pass() throws InterruptedException {
      Runnable task = waiting.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      assertThat(task).as("what was to run in a moment").isNotNull();
      task.run();
    }
  }

  /** A connection that takes nothing until it may, and is broken by an interrupt. */
  private static final class Stalled extends OutputStream {

    private final CountDownLatch writing = new CountDownLatch(1);
    private final CountDownLatch mayTake = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    @Override
    public void write(int one) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void write(byte[] part, int from, int length) throws IOException {
      writing.countDown();
      try {
        mayTake.await();
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
    }

    @Override
    public void close() {
      closed.countDown();
    }
  }

  private final ManualTime time = new ManualTime();
  private final AtomicInteger readings = new AtomicInteger();
  private final Moments moments = new Moments();
  private final Stalled connection = new Stalled();
  private final ServingThreads threads =
      new ServingThreads("serving", 2, Duration.ofHours(1).toNanos(), time, moments);
  private final Feed feed =
      new Feed(
          new FeedPlan("feed", 1_000_000, 1, 2, STALL.toNanos(), time, time),
          new FeedSource() {
            @Override
            public Runnable begin(Runnable onEnd) {
              return () -> {};
            }

            @Override
            public byte[] read() {
              readings.incrementAndGet();
              return new byte[] {1};
            }
          });

  /** Whether the client's end was the answer's; else its connection was cut off. */
  private final FutureTask<Boolean> served =
      new FutureTask<>(
          () -> {
            try {
              return BlockingClient.serve(feed, threads, () -> connection);
            } catch (InterruptedIOException cut) {
              return false;
            }
          });

  @BeforeEach
  void begin() throws Exception {
    threads.execute(served);
    assertThat(connection.writing.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
  }

  @AfterEach
  void end() {
    connection.mayTake.countDown();
    feed.close();
    moments.shutdownNow();
    threads.close();
  }

  private void beat() {
    await().atMost(PATIENCE).until(() -> !time.waiting().isEmpty());
    time.advance(Duration.ofSeconds(1));
  }

  private boolean served() throws Exception {
    return served.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Another client, that takes all at once. */
  private AtomicInteger reader() {
    AtomicInteger taken = new AtomicInteger();
    AtomicReference<Seat> seat = new AtomicReference<>();
    seat.set(
        feed.take(
            new Seat.Client() {
              @Override
              public void onWaiting() {
                Seat own = seat.get();
                while (own != null && own.poll() != null) {
                  taken.incrementAndGet();
                }
              }

              @Override
              public void onEnd() {}
            }));
    return taken;
  }

  @Test
  void write_thatStalls_isCutOffAMomentLaterAndTheFeedGoesOnMeanwhile() throws Exception {
    AtomicInteger taken = reader();
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              beat();
              return feed.clients() == 1;
            });
    int before = taken.get();
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              beat();
              return taken.get() > before + 2;
            });
    assertThat(served).as("nothing has interrupted its write so far").isNotDone();

    moments.pass();
    assertThat(served()).isFalse();
  }

  @Test
  void write_thatGoesOnAsTheFeedCloses_mayEndAndItsAnswerWithIt() throws Exception {
    feed.close();
    assertThat(served).isNotDone();

    connection.mayTake.countDown();
    assertThat(served()).isTrue();
    assertThat(connection.closed.getCount()).isZero();
    moments.pass(); // too late to cut anything off
    assertThat(moments.waiting).isEmpty();
  }

  @Test
  void write_thatStallsAsTheFeedCloses_isCutOffAMomentLater() throws Exception {
    feed.close();
    assertThat(served).as("nothing has interrupted its write so far").isNotDone();

    moments.pass();
    assertThat(served()).isFalse();
  }

  @Test
  void write_thatStallsAsItsServerIsClosedAsWell_isCutOff() throws Exception {
    moments.shutdown();
    threads.close();
    feed.close();

    assertThat(served()).isFalse();
  }
}
