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

  /** What was to run in a moment; it runs when the test says so, also if it was cancelled. */
  private static final class Moments extends ScheduledThreadPoolExecutor {

    private final LinkedBlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();
    private volatile ScheduledFuture<?> last;

    Moments() {
      super(1);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
      last = super.schedule(() -> {}, 1, TimeUnit.HOURS);
      waiting.add(task);
      return last;
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
    private volatile Runnable onClose = () -> {};
    private volatile boolean wasInterrupted;

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
    public void close() { // writes the end of the answer, which an interrupt would break
      onClose.run();
      wasInterrupted = Thread.currentThread().isInterrupted();
      closed.countDown();
    }
  }

  private final ManualTime time = new ManualTime();
  private final AtomicInteger readings = new AtomicInteger();
  private final Moments moments = new Moments();
  private final Stalled connection = new Stalled();
  private final ServingThreads threads =
      new ServingThreads(
          "serving", 2, Duration.ofHours(1).toNanos(), time, moments, PATIENCE.toMillis());
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
    assertThat(moments.last.isCancelled()).as("nothing is left to cut off").isTrue();
    assertThat(moments.waiting).hasSize(1);
  }

  @Test
  void write_thatHasEndedAsItsMomentIsOver_isNotCutOffInItsAnswersEnd() throws Exception {
    connection.onClose = this::passMoment;
    feed.close();
    connection.mayTake.countDown();
    assertThat(served()).isTrue();
    assertThat(connection.wasInterrupted).isFalse();
    assertThat(moments.waiting).isEmpty();
  }

  private void passMoment() {
    try {
      moments.pass();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void answer_thatEndsAsItsServerIsClosed_isNotInterrupted() throws Exception {
    FutureTask<Void> closed = new FutureTask<>(threads::close, null);
    Thread closing = new Thread(closed, "closing");
    connection.onClose =
        () -> {
          moments.shutdownNow(); // so that what follows waits for nothing but this thread
          await().atMost(PATIENCE).until(moments::isTerminated);
          closing.start();
          while (!closed.isDone() && closing.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
          }
        };
    feed.close();
    connection.mayTake.countDown();
    assertThat(served()).isTrue();
    assertThat(connection.wasInterrupted).isFalse();
    closed.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Test
  void thread_thatNothingElseEnds_isInterruptedAsItsServerIsClosed() throws Exception {
    ServingThreads others =
        new ServingThreads("others", 1, Duration.ofHours(1).toNanos(), time, moments, 1);
    CountDownLatch held = new CountDownLatch(1);
    FutureTask<Boolean> ended =
        new FutureTask<>(
            () -> {
              held.countDown();
              try {
                connection.mayTake.await();
                return false;
              } catch (InterruptedException e) {
                return true;
              }
            });
    others.execute(ended);
    assertThat(held.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    others.close();
    assertThat(ended.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
  }

  @Test
  void write_thatStallsAsTheFeedCloses_isCutOffAMomentLater() throws Exception {
    feed.close();
    assertThat(served).as("nothing has interrupted its write so far").isNotDone();

    moments.pass();
    assertThat(served()).isFalse();
  }

  @Test
  void write_thatStallsAsItsServerIsClosedAlready_isCutOffAtOnce() throws Exception {
    moments.shutdown();
    feed.close();

    assertThat(served()).isFalse();
  }
}
