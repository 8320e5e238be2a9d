// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The readings of a ticker may only be compared by their difference: they may overflow. */
class CloseNearOverflowTest {

  private final ManualTime time = new ManualTime();
  private final CountDownLatch listening = new CountDownLatch(1);
  private final CountDownLatch interrupted = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  /** Comes back when it has been interrupted, and the test lets it. */
  private final class Slow implements CommandListener {

    @Override
    public void onCancel(ListenedCall call, Throwable error) {
      listening.countDown();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        interrupted.countDown();
        Uninterruptibly.await(goOn);
      }
    }
  }

  @Test
  void close_whereReadingsOverflowMeanwhile_givesWhatItInterruptsItsTime() throws Exception {
    long toOverflow = Duration.ofSeconds(2).toNanos();
    time.advance(Duration.ofNanos(Long.MAX_VALUE - toOverflow - time.nanoTime()));
    Tenrec tenrec = Tenrec.builder().time(time, time).listen(new Slow()).build();
    Command<Integer, Integer> command =
        tenrec
            .command("Subject", CloseNearOverflowTest::fail)
            .isolation(Isolation.threadPool().coreSize(1))
            .timeout(Duration.ofHours(1))
            .retry(Retry.attempts(2).backoff(Duration.ofMinutes(1), Duration.ofMinutes(1)))
            .build();
    CompletableFuture<Integer> call = command.executeAsync(1);
    await().until(() -> Inside.waitingForRetry(command.view()) == 1);

    CompletableFuture<List<StillRunning>> left = new CompletableFuture<>();
    Thread closer = new Thread(() -> left.complete(tenrec.close(Duration.ofSeconds(5))), "closer");
    closer.setDaemon(true);
    closer.start();
    await().until(call::isDone);
    Uninterruptibly.await(listening); // closing interrupts those that are at it by the deadline
    await().until(() -> time.waiting().contains(closer));
    time.advance(Duration.ofSeconds(5));
    Uninterruptibly.await(interrupted);
    await().until(() -> left.isDone() || time.waiting().contains(closer));
    goOn.countDown();

    assertThat(left.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEmpty();
    assertThat(call).isCancelled();
  }

  private static Integer fail(Integer argument) throws IOException {
    throw new IOException("of the work");
  }
}
