// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Account;
import dev.tenrec.core.kit.NoSettings;
import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.PatientWaits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Closing loses no ending, whatever is in flight, and nothing begins after it. */
@OwnThread
class CloseUnderLoadTest {

  private final ExecutorService callers = Executors.newCachedThreadPool();

  @AfterEach
  void release() {
    callers.shutdownNow();
  }

  @Test
  @Tag("race")
  void close_underLoad_losesNoEnding() throws Exception {
    closes(Integer.getInteger("tenrec.closes", 200));
  }

  @Test
  @Tag("long")
  void close_1500TimesUnderLoad_losesNoEnding() throws Exception {
    closes(Integer.getInteger("tenrec.closes", 1_500));
  }

  private void closes(int rounds) throws Exception {
    long seed = Long.getLong("tenrec.seed", System.nanoTime());
    List<String> missing = new ArrayList<>();
    for (int round = 0; round < rounds && missing.size() < 5; round++) {
      int number = round;
      try (AutoCloseable quiet = SwitchedLogging.on(logger -> false)) {
        new CloseRound(seed + round, callers)
            .play()
            .forEach(one -> missing.add("round " + number + ": " + one));
      } catch (TimeoutException e) {
        missing.add("round " + round + ": a close does not return");
      }
    }
    assertThat(missing).as("of %d closes, from -Dtenrec.seed=%d on", rounds, seed).isEmpty();
  }

  /** Work on the caller's thread that only its canceller, or the test, ends. */
  private static String untilReleased(CountDownLatch begun, CountDownLatch release) {
    begun.countDown();
    try {
      release.await();
    } catch (InterruptedException e) {
      return "interrupted";
    }
    return "released";
  }

  @Test
  void close_whileWorkIsOnCallersThreads_countsItPerCommand_andInterruptsNobody() throws Exception {
    Tenrec tenrec = Tenrec.builder().source(new NoSettings()).build();
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(5);
    List<Future<String>> results = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Command<String, String> command =
          tenrec
              .command(i < 3 ? "Three" : "Two", (String s) -> untilReleased(begun, release))
              .isolation(Isolation.semaphore(10))
              .withoutTimeout()
              .build();
      results.add(callers.submit(() -> command.execute("x")));
    }
    Uninterruptibly.await(begun);

    List<StillRunning> left = tenrec.close(Duration.ofMillis(20));

    release.countDown();
    for (Future<String> result : results) {
      assertThat(result.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("released");
    }
    assertThat(CloseReport.callersAtWork(left, "Three")).as("of Three, in %s", left).isEqualTo(3);
    assertThat(CloseReport.callersAtWork(left, "Two")).as("of Two, in %s", left).isEqualTo(2);
  }

  @Test
  void close_whileWorkThatTakesItsCallIsOnItsCallersThread_runsItsCanceller() throws Exception {
    Tenrec tenrec = Unhurried.builder().source(new NoSettings()).build();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch cancelled = new CountDownLatch(1);
    Command<String, String> command =
        tenrec
            .command(
                "Cancellable",
                (String s, Call call) -> {
                  call.onCancel(
                      () -> {
                        cancelled.countDown();
                        release.countDown();
                      });
                  return untilReleased(begun, release);
                })
            .isolation(Isolation.semaphore(10))
            .withoutTimeout()
            .build();
    AtomicBoolean interrupted = new AtomicBoolean();
    Future<Boolean> call =
        callers.submit(
            () -> {
              boolean answered = command.attempt("x").isAnswered();
              interrupted.set(Thread.interrupted());
              return answered;
            });
    Uninterruptibly.await(begun);

    List<StillRunning> left = tenrec.close(Duration.ZERO);

    assertThat(cancelled.await(PatientWaits.seconds(), TimeUnit.SECONDS))
        .as("its canceller has run")
        .isTrue();
    Boolean unused = call.get(PatientWaits.seconds(), TimeUnit.SECONDS);
    assertThat(interrupted).as("its caller was interrupted").isFalse();
    assertThat(left).isEmpty();
  }

  @Test
  void close_whileAnotherCloses_waitsForIt() throws Exception {
    Tenrec tenrec = Unhurried.builder().source(new NoSettings()).build();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Command<String, String> command =
        tenrec
            .command("Held", (String s) -> untilReleased(begun, release))
            .isolation(Isolation.threadPool().coreSize(1))
            .withoutTimeout()
            .build();
    CompletableFuture<String> held = command.executeAsync("x");
    Uninterruptibly.await(begun);
    Future<Integer> first =
        callers.submit(
            () -> {
              List<StillRunning> unused = tenrec.close(PatientWaits.patience());
              return tenrec.liveThreads();
            });
    await().atMost(PatientWaits.patience()).until(() -> isClosing(tenrec));

    Future<Integer> second =
        callers.submit(
            () -> {
              List<StillRunning> unused = tenrec.close(PatientWaits.patience());
              return tenrec.liveThreads();
            });
    boolean early = true;
    try {
      Integer unused = second.get(200, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      early = false;
    }
    release.countDown();

    assertThat(early).as("the second close returned before the first had ended").isFalse();
    assertThat(first.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isZero();
    assertThat(second.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isZero();
    assertThat(held.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("released");
  }

  /** Answers that wait for a thread, for all that there are block in users' code. */
  @Test
  void close_whileTimeOutsWaitForBlockedThreads_endsThemAll() throws Exception {
    Tenrec tenrec = Tenrec.builder().source(new NoSettings()).callbacks(1, 0).build();
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger blocked = new AtomicInteger();
    Command<String, String> command =
        tenrec
            .asyncCommand("Late", (String s) -> new CompletableFuture<String>())
            .isolation(Isolation.semaphore(100))
            .timeout(Duration.ofMillis(60))
            .property("execution.isolation.stage.abandonAfterInMilliseconds", "30")
            .withoutCircuitBreaker()
            .build();
    List<CompletableFuture<String>> futures = new ArrayList<>();
    Thread tester = Thread.currentThread();
    for (int i = 0; i < 20; i++) {
      CompletableFuture<String> future = command.executeAsync("x");
      futures.add(future);
      CompletableFuture<String> unused =
          future.whenComplete(
              (value, error) -> {
                if (Thread.currentThread() != tester) { // else it came too late
                  blocked.incrementAndGet();
                  Uninterruptibly.await(release);
                }
              });
    }
    await().atMost(PatientWaits.patience()).until(() -> blocked.get() > 0);
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(120)); // all are past their deadline

    Future<?> closer = callers.submit(() -> tenrec.close(Duration.ofMillis(20)));
    Object unused = closer.get(PatientWaits.seconds(), TimeUnit.SECONDS);

    int ended = (int) futures.stream().filter(CompletableFuture::isDone).count();
    release.countDown();
    assertThat(ended).as("futures that were done when close had returned").isEqualTo(20);
    assertThat(Account.of(command.view()).answers()).isEqualTo(20);
  }

  private static boolean isClosing(Tenrec tenrec) {
    try {
      var unused = tenrec.command("New", (String s) -> s).build();
      return false;
    } catch (IllegalStateException closed) {
      return true;
    }
  }
}
