// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.outcome.CommandInterruptedException;
import dev.tenrec.core.work.Work;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
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

  private class Channel extends AbstractInterruptibleChannel {

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
                  int unused = Uninterruptibly.sleepOrInterrupt();
                  return text;
                })
            .timeout(Duration.ofMinutes(1))
            .build();
    CompletableFuture<String> first = command.executeAsync("x");
    CompletableFuture<String> second = other.executeAsync("x");
    assertThat(reading.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();

    CompletableFuture<List<StillRunning>> closed = new CompletableFuture<>();
    Thread closing = Elsewhere.start(() -> closed.complete(tenrec.close(Duration.ZERO)));
    Scenario.await() // it was interrupted, and its thread is through with it
        .until(
            () ->
                tenrec.pools().stream()
                    .filter(pool -> pool.key().equals("Other"))
                    .allMatch(pool -> pool.active() == 0));
    Scenario.await()
        .until(
            () -> {
              time.advanceMillis(2);
              return closed.isDone();
            });

    assertThat(CloseReport.atWork(closed.get(PatientWaits.seconds(), TimeUnit.SECONDS)))
        .extracting(StillRunning::commandKey)
        .contains("Reading")
        .doesNotContain("Other");
    assertThat(first).isCompletedExceptionally();
    assertThat(second).isCompletedExceptionally();
    closing.join();
  }

  private static Command<String, String> interruptible(Tenrec tenrec, Work<String, String> work) {
    return tenrec
        .command("Reading", work)
        .isolation(Isolation.threadPool().coreSize(1))
        .timeout(Duration.ofMinutes(10))
        .property("execution.isolation.thread.interruptOnFutureCancel", "true")
        .build();
  }

  @Test
  void cancel_whoseInterruptHangs_isSeenByThoseThatWait() throws Exception {
    Tenrec tenrec = Tenrec.create();
    CountDownLatch reading = new CountDownLatch(1);
    Command<String, String> command = interruptible(tenrec, text -> new Channel().read(reading));
    CompletableFuture<String> call = command.executeAsync("x");
    Uninterruptibly.await(reading);

    CompletableFuture<Boolean> cancelled = Elsewhere.call(() -> call.cancel(true));

    assertThatThrownBy(() -> call.get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .isInstanceOf(CancellationException.class);
    assertThat(cancelled.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(command.view().cumulativeCount(EventType.CANCELLED)).isOne();
    over.countDown();
    tenrec.close();
  }

  @Test
  void cancel_whoseInterruptThrows_isSeenByThoseThatWait() throws Exception {
    Tenrec tenrec = Tenrec.create();
    CountDownLatch reading = new CountDownLatch(1);
    Command<String, String> command =
        interruptible(
            tenrec,
            text ->
                new Channel() {
                  @Override
                  protected void implCloseChannel() {
                    over.countDown();
                    throw new IllegalStateException("of the channel");
                  }
                }.read(reading));
    CompletableFuture<String> call = command.executeAsync("x");
    Uninterruptibly.await(reading);

    assertThat(call.cancel(true)).isTrue();

    assertThat(call).isCancelled();
    Uninterruptibly.await(over); // the interrupt has come
    tenrec.close();
  }

  @Test
  void callerThatIsInterrupted_isAnswered_thoughTheInterruptOfItsWorkHangs() throws Exception {
    Tenrec tenrec = Tenrec.create();
    CountDownLatch reading = new CountDownLatch(1);
    Command<String, String> command = interruptible(tenrec, text -> new Channel().read(reading));
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread caller =
        Elsewhere.start(() -> thrown.complete(catchThrowable(() -> command.execute("x"))));
    Uninterruptibly.await(reading);

    caller.interrupt();

    assertThat(thrown.get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .isInstanceOf(CommandInterruptedException.class);
    over.countDown();
    tenrec.close();
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
                    int unused = Uninterruptibly.sleepOrInterrupt();
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
