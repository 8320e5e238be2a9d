// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.closing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An interrupt closes the channel its thread is at, and the channel's close does not come back. */
class HangingInterruptTest {

  private static final int MANY = 40;

  private final CountDownLatch over = new CountDownLatch(1);

  @AfterEach
  void goOn() {
    over.countDown();
  }

  private final class Channel extends AbstractInterruptibleChannel {

    String read(CountDownLatch reading) throws Exception {
      begin();
      try {
        reading.countDown();
        Uninterruptibly.await(over);
      } finally {
        end(true);
      }
      return "read";
    }

    @Override
    protected void implCloseChannel() {
      Uninterruptibly.await(over);
    }
  }

  private Command<String, String> reading(Tenrec tenrec, Duration timeout, CountDownLatch latch) {
    return tenrec
        .command("Reading", (String text) -> new Channel().read(latch))
        .isolation(Isolation.threadPool().coreSize(MANY))
        .timeout(timeout)
        .withoutCircuitBreaker()
        .build();
  }

  @Test
  void close_whoseInterruptHangs_endsAllCallsAndReturns() throws Exception {
    ManualTime time = new ManualTime();
    Tenrec tenrec = Tenrec.builder().time(time, time).build();
    CountDownLatch reading = new CountDownLatch(2);
    Command<String, String> command = reading(tenrec, Duration.ofMinutes(1), reading);
    Command<String, String> other =
        tenrec
            .command(
                "Other",
                (String text) -> {
                  reading.countDown();
                  Thread.sleep(60_000); // until it is interrupted
                  return text;
                })
            .timeout(Duration.ofMinutes(1))
            .build();
    CompletableFuture<String> first = command.executeAsync("x");
    CompletableFuture<String> second = other.executeAsync("x");
    assertThat(reading.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();

    CompletableFuture<List<StillRunning>> closed = new CompletableFuture<>();
    Thread closing = Elsewhere.start(() -> closed.complete(tenrec.close(Duration.ZERO)));
    Scenario.await().until(() -> other.view().concurrency() == 0); // it was interrupted
    Scenario.await()
        .until(
            () -> {
              time.advanceMillis(2);
              return closed.isDone();
            });

    assertThat(closed.get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .extracting(StillRunning::commandKey)
        .contains("Reading")
        .doesNotContain("Other");
    assertThat(first).isCompletedExceptionally();
    assertThat(second).isCompletedExceptionally();
    closing.join();
  }

  @Test
  void interruptsOfOneCommand_thatHang_holdUpNoOtherCommandsInterruptOrPermit() throws Exception {
    Duration timeout = Duration.ofMillis(50);
    ManualTime time = new ManualTime();
    Tenrec tenrec = Tenrec.builder().time(time, time).build();
    CountDownLatch reading = new CountDownLatch(MANY);
    Command<String, String> command = reading(tenrec, timeout, reading);
    for (int i = 0; i < MANY; i++) {
      CompletableFuture<String> unused = command.executeAsync("x");
    }
    Uninterruptibly.await(reading); // a call that begins after its deadline does not read
    time.advance(timeout);
    Scenario.await().until(() -> command.view().cumulativeCount(EventType.TIMEOUT) == MANY);
    CountDownLatch interrupted = new CountDownLatch(1);
    Command<String, String> other =
        tenrec
            .command(
                "Other",
                (String text) -> {
                  time.advance(timeout);
                  try {
                    Thread.sleep(60_000); // until it is interrupted
                  } catch (InterruptedException e) {
                    interrupted.countDown();
                  }
                  return text;
                })
            .timeout(timeout)
            .build();
    Command<String, String> stage =
        tenrec
            .asyncCommand("Stage", (String text) -> new CompletableFuture<String>())
            .isolation(Isolation.semaphore(1))
            .timeout(timeout)
            .build();

    CompletableFuture<String> unused = other.executeAsync("x");
    assertThat(interrupted.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    CompletableFuture<String> staged = stage.executeAsync("x");
    time.advance(timeout);

    Scenario.await().until(staged::isDone);
    Scenario.await().until(() -> stage.view().snapshot().concurrency() == 0);
    over.countDown();
    Elsewhere.close(tenrec, time);
  }
}
