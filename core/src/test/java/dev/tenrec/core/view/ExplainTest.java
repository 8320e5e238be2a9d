// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.RateLimit;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.latency.LatencySnapshot;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ExplainTest {

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());

  /** For work that calls its own command. */
  private final AtomicReference<Command<Integer, Integer>> same = new AtomicReference<>();

  private static Integer failing() {
    throw new IllegalStateException("down");
  }

  @Test
  void explain_withoutTrouble_saysThatAllIsWell() {
    Command<Integer, Integer> command =
        tenrec.command("Well", (Integer i) -> i).isolation(Isolation.semaphore(2)).build();
    assertThat(command.execute(1)).isEqualTo(1);
    assertThat(tenrec.explain("Well"))
        .isEqualTo(
            """
            Well: the circuit is closed.
            Of the last 10 s: 1 succeeded, 0 failed, 0 timed out, 0 were refused; 0 of these were answered by the fallback.\
            """);
  }

  @Test
  void explain_anOpenCircuit_saysWhyHowManyAndWhatEndsIt() {
    Command<Integer, Integer> command =
        tenrec
            .command("Broken", (Integer i) -> failing())
            .isolation(Isolation.semaphore(2))
            .errorThreshold(50, 2)
            .fallbackValue(0)
            .build();
    for (int i = 0; i < 6; i++) {
      assertThat(command.execute(1)).isZero();
      time.advanceMillis(100);
    }
    await()
        .until(
            () -> {
              if (command.view().circuitState() != CircuitState.OPEN) { // the timer was looking
                time.advanceMillis(100);
              }
              return command.view().circuitState() == CircuitState.OPEN;
            });
    assertThat(command.execute(1)).isZero(); // refused by it
    assertThat(command.view().explain())
        .startsWith("Broken: the circuit is open since ")
        .contains("calls failed and 0 were slow (100 %; limit 50 % from 2 calls on)")
        .contains("It lets a trial through from ")
        .contains("Refused by the open circuit: ")
        .contains("circuitBreaker.sleepWindowInMilliseconds = 5000 (the default)")
        .contains("7 of these were answered by the fallback")
        .isEqualTo(tenrec.explain("Broken"));
    tenrec.set("tenrec.command.Broken.circuitBreaker.forceOpen", "true");
    assertThat(command.view().explain())
        .contains("forced open")
        .contains("circuitBreaker.forceOpen = true (set for this command)");
  }

  @Test
  void explain_fullAndLate_hasTheFiguresAndTheSettings() throws InterruptedException {
    CountDownLatch leave = new CountDownLatch(1);
    CountDownLatch inside = new CountDownLatch(1);
    Command<Integer, Integer> command =
        tenrec
            .command(
                "Full",
                (Integer i) -> {
                  inside.countDown();
                  leave.await();
                  return i;
                })
            .isolation(Isolation.threadPool().coreSize(1))
            .property("execution.isolation.thread.interruptOnTimeout", "false")
            .withoutCircuitBreaker()
            .timeout(Duration.ofMillis(300))
            .build();
    CompletableFuture<Integer> first = command.executeAsync(1);
    inside.await();
    assertThat(command.attempt(2).isSuccess()).isFalse();
    time.advanceMillis(300);
    await().until(first::isCompletedExceptionally);
    tenrec.set("tenrec.command.Full.fallback.enabled", "perhaps");
    String explanation = tenrec.explain("Full");
    leave.countDown();

    assertThat(explanation)
        .contains("Full: there is no circuit: circuitBreaker.enabled = false (set in code).")
        .contains("0 failed, 1 timed out, 1 were refused")
        .contains("Found no room: 1, one at ")
        .contains("thread pool Full was full (1 in flight, 1 allowed)")
        .contains("More room: coreSize or maxQueueSize of thread pool Full")
        .contains(
            "Without an answer in time: 1; in force is"
                + " execution.isolation.thread.timeoutInMilliseconds = 300 (set in code).")
        .contains("The work takes 297.8 ms in the median")
        .contains("A longer time-out helps only if its callers can wait as long.")
        .contains("Still busy although their calls have been answered: 1.")
        .contains("A setting was refused: tenrec.command.Full.fallback.enabled = perhaps")
        .contains("; in force is true.");
  }

  /** Little's law, of all that came: what was let in and what found no room. */
  @Test
  void explain_noRoom_saysHowManyWouldBeInFlight() {
    Command<Integer, Integer> command =
        tenrec
            .command(
                "Busy",
                (Integer millis) -> {
                  time.advanceMillis(Math.abs(millis));
                  return millis < 0 ? failing() : millis;
                })
            .isolation(Isolation.semaphore(1))
            .timeout(Duration.ofMillis(500))
            .withoutCircuitBreaker()
            .fallbackValue(0)
            .build();
    for (int i = 0; i < 10; i++) {
      assertThat(command.execute(100)).isEqualTo(100);
    }
    for (int i = 0; i < 5; i++) {
      assertThat(command.execute(-100)).isZero();
    }
    for (int i = 0; i < 2; i++) {
      assertThat(command.execute(500)).isZero();
    }
    tenrec.set("tenrec.command.Busy.execution.isolation.semaphore.maxConcurrentRequests", "0");
    for (int i = 0; i < 23; i++) {
      assertThat(command.execute(1)).isZero();
    }

    double meanNanos = command.view().latencies().execution().meanNanos();
    assertThat(command.view().explain())
        .contains("10 succeeded, 5 failed, 2 timed out, 23 were refused; 30 of these were answered")
        .contains("Found no room: 23, one at ")
        .contains(
            String.format( // forty calls in ten seconds
                Locale.ROOT,
                " At 4.0 calls a second of %.0f ms each, %.1f are in flight on average, and 0 are"
                    + " allowed. More room: ",
                meanNanos / 1e6,
                4 * meanNanos / 1e9));
  }

  /** Its refusal is the last one there was, and is no reason of the work's. */
  @Test
  void explain_aFullPoolWhoseFallbackIsFullToo_namesThePool() throws InterruptedException {
    CountDownLatch leave = new CountDownLatch(1);
    CountDownLatch inside = new CountDownLatch(1);
    Command<Integer, Integer> command =
        tenrec
            .command(
                "Full",
                (Integer i) -> {
                  inside.countDown();
                  leave.await();
                  return i;
                })
            .isolation(Isolation.threadPool().coreSize(1))
            .withoutTimeout()
            .withoutCircuitBreaker()
            .fallback((i, cause) -> -1)
            .fallbackLimit(0)
            .build();
    CompletableFuture<Integer> first = command.executeAsync(1);
    inside.await();
    assertThat(command.attempt(2).isSuccess()).isFalse();
    String explanation = command.view().explain();
    leave.countDown();
    assertThat(first.join()).isEqualTo(1);

    assertThat(explanation)
        .contains(" because thread pool Full was full (1 in flight, 1 allowed).")
        .contains("More room: coreSize or maxQueueSize of thread pool Full")
        .contains(
            "Fallbacks that found no room: 1; as many may run at once as"
                + " fallback.isolation.semaphore.maxConcurrentRequests = 0 (set in code)");
    assertThat(command.view().explain())
        .as("now that one has ended, and says how long they take")
        .contains(" At 0.2 calls a second of ")
        .contains(" are in flight on average, and 1 are allowed. More room: ");
  }

  @Test
  void explain_aHalfOpenCircuit_saysThatItWaitsForItsTrials() {
    AtomicReference<String> atTrial = new AtomicReference<>();
    AtomicReference<List<Transition>> transitions = new AtomicReference<>();
    Command<Integer, Integer> command =
        tenrec
            .command(
                "Trying",
                (Integer i) -> {
                  atTrial.set(tenrec.explain("Trying"));
                  transitions.set(same.get().view().transitions());
                  return failing();
                })
            .isolation(Isolation.semaphore(2))
            .errorThreshold(50, 2)
            .sleepWindow(Duration.ofMillis(500))
            .fallbackValue(0)
            .build();
    same.set(command);
    await()
        .until(
            () -> {
              assertThat(command.execute(1)).isZero();
              time.advanceMillis(100);
              return command.view().circuitState() == CircuitState.OPEN;
            });
    time.advanceMillis(500);
    assertThat(command.execute(1)).isZero();

    assertThat(transitions.get()).hasSize(2);
    Transition last = transitions.get().get(1);
    assertThat(atTrial.get())
        .startsWith(
            "Trying: the circuit is half-open and waits for its trials since "
                + last.at()
                + ": "
                + last.explanation()
                + ".");
  }

  @Test
  void explain_aCircuitThatIsForcedClosed_namesTheSetting() {
    Command<Integer, Integer> command =
        tenrec.command("Forced", (Integer i) -> i).isolation(Isolation.semaphore(2)).build();
    tenrec.set("tenrec.command.default.circuitBreaker.forceClosed", "true");

    assertThat(command.view().explain())
        .startsWith(
            "Forced: the circuit lets every call through, for circuitBreaker.forceClosed = true"
                + " (set for all commands).");
  }

  /** Unlike of the one before, whose work was slow. */
  @Test
  void explain_aLateCallThatWasQueued_saysThatItWaitedForAThread() throws InterruptedException {
    CountDownLatch leave = new CountDownLatch(1);
    CountDownLatch inside = new CountDownLatch(1);
    Command<Integer, Integer> command =
        tenrec
            .command(
                "Queued",
                (Integer i) -> {
                  inside.countDown();
                  leave.await();
                  return i;
                })
            .isolation(Isolation.threadPool().coreSize(1).queueSize(1))
            .property("execution.isolation.thread.interruptOnTimeout", "false")
            .withoutCircuitBreaker()
            .timeout(Duration.ofMillis(300))
            .build();
    CompletableFuture<Integer> atWork = command.executeAsync(1);
    inside.await();
    time.advanceMillis(300);
    await().until(atWork::isCompletedExceptionally);
    time.advanceMillis(600);
    CompletableFuture<Integer> waiting = command.executeAsync(2);
    time.advanceMillis(300);
    await().until(waiting::isCompletedExceptionally);
    await().until(() -> command.view().lastTrouble().size() == 2);
    String explanation = command.view().explain();
    leave.countDown();

    assertThat(explanation)
        .contains("Without an answer in time: 2; ")
        .contains("The last of them waited for a thread all the time: ")
        .doesNotContain("A longer time-out helps");
  }

  @Test
  void explain_aFullSemaphoreOfItsOwn_namesItsLimit() {
    AtomicReference<String> whileFull = new AtomicReference<>();
    Command<Integer, Integer> command =
        tenrec
            .command(
                "Alone",
                (Integer i) -> {
                  Command<Integer, Integer> again = same.get();
                  assertThat(again.execute(i)).isZero();
                  whileFull.set(again.view().explain());
                  return i;
                })
            .isolation(Isolation.semaphore(1))
            .fallbackValue(0)
            .build();
    same.set(command);

    assertThat(command.execute(1)).isEqualTo(1);

    assertThat(whileFull.get())
        .contains(
            "Found no room: 1, one at ",
            " because semaphore Alone had no permit left (1 in flight, 1 allowed). More room:"
                + " execution.isolation.semaphore.maxConcurrentRequests = 1 (set in code); ");
  }

  /** What is written down of a command is bounded, and its counts reach farther back. */
  @Test
  void explain_aRefusalThatIsNotWrittenDownAnyMore_doesWithoutIt() {
    Command<Integer, Integer> command =
        tenrec
            .command(
                "Forgotten",
                (Integer i) -> {
                  time.advanceMillis(500);
                  return i;
                })
            .isolation(Isolation.semaphore(1))
            .timeout(Duration.ofMillis(500))
            .withoutCircuitBreaker()
            .property("metrics.rollingStats.timeInMilliseconds", "20000")
            .fallbackValue(0)
            .build();
    tenrec.set("tenrec.command.Forgotten.execution.isolation.semaphore.maxConcurrentRequests", "0");
    assertThat(command.execute(1)).isZero();
    tenrec.clear("tenrec.command.Forgotten.execution.isolation.semaphore.maxConcurrentRequests");
    for (int i = 0; i < 19; i++) {
      assertThat(command.execute(1)).isZero();
    }

    double meanMillis = command.view().latencies().execution().meanNanos() / 1e6;
    assertThat(command.view().explain())
        .contains("Of the last 20 s: ")
        .contains("Found no room: 1. At 1.0 calls a second of ") // twenty in as many seconds
        .contains(String.format(Locale.ROOT, " of %.0f ms each", meanMillis))
        .contains(" More room: the limit of its pool or semaphore; less of it");
  }

  /** Five in two seconds and a half. */
  @Test
  void explain_aWindowOfNoWholeSeconds_hasTheRateOfAllOfIt() {
    Command<Integer, Integer> command =
        tenrec
            .command("Fraction", (Integer i) -> i)
            .isolation(Isolation.semaphore(1))
            .withoutCircuitBreaker()
            .property("metrics.rollingStats.timeInMilliseconds", "2500")
            .build();
    for (int i = 0; i < 4; i++) {
      assertThat(command.execute(1)).isOne();
    }
    tenrec.set("tenrec.command.Fraction.execution.isolation.semaphore.maxConcurrentRequests", "0");
    assertThat(command.attempt(1).isSuccess()).isFalse();

    assertThat(command.view().explain())
        .contains("Of the last 2.5 s: 4 succeeded")
        .contains("Found no room: 1")
        .contains(" At 2.0 calls a second of ");
  }

  /** The last refusal of all was another one's, which has a name of its own. */
  @Test
  void explain_refusedByItsRateAndThenForWantOfRoom_namesTheRatesSettings() {
    Command<Integer, Integer> command =
        tenrec
            .command("Both", (Integer i) -> i)
            .isolation(Isolation.semaphore(0).shared("Room"))
            .rateLimit(RateLimit.of(1, Duration.ofMillis(1_000)))
            .withoutCircuitBreaker()
            .fallbackValue(0)
            .build();
    assertThat(command.execute(1)).isZero(); // for want of room
    assertThat(command.execute(1)).isZero(); // by its rate
    time.advanceMillis(1_000);
    assertThat(command.execute(1)).isZero(); // for want of room

    assertThat(command.view().explain())
        .contains("Found no room: 2, one at ", "semaphore Room had no permit left")
        .contains("Came too fast for the rate limiter: 1; in force are rateLimiter.permits = 1 ");
  }

  /** The settings of the command itself, which has the same name, have no effect. */
  @Test
  void explain_sharedThingsNamedAsTheCommand_namesThem() {
    Command<Integer, Integer> command =
        tenrec
            .command("Stock", (Integer i) -> i)
            .isolation(Isolation.semaphore(0).shared("Stock"))
            .rateLimit(RateLimit.of(1, Duration.ofMillis(1_000)).shared("Stock"))
            .withoutCircuitBreaker()
            .fallbackValue(0)
            .build();
    assertThat(command.execute(1)).isZero(); // for want of room
    assertThat(command.execute(1)).isZero(); // by its rate

    assertThat(command.view().explain())
        .contains("More room: maxConcurrentRequests of semaphore Stock; ")
        .contains(
            "Came too fast for the rate limiter: 1; in force is what rate limiter Stock allows all"
                + " that share it.");
  }

  /** Its refusal was written down too long ago. */
  @Test
  void explain_aSharedLimiterWhoseRefusalIsForgotten_namesItAllTheSame() {
    Command<Integer, Integer> command =
        tenrec
            .command(
                "Forgotten",
                (Integer i) -> {
                  time.advanceMillis(500);
                  return i;
                })
            .isolation(Isolation.semaphore(1))
            .timeout(Duration.ofMillis(500))
            .rateLimit(RateLimit.of(1, Duration.ofMillis(600)).shared("Limiter"))
            .withoutCircuitBreaker()
            .property("metrics.rollingStats.timeInMilliseconds", "20000")
            .fallbackValue(0)
            .build();
    assertThat(command.execute(1)).isZero();
    assertThat(command.execute(1)).isZero(); // by the rate
    for (int i = 0; i < 19; i++) {
      time.advanceMillis(150);
      assertThat(command.execute(1)).isZero();
    }
    assertThat(command.view().lastTrouble())
        .noneMatch(entry -> entry instanceof JournalEntry.CallRefused);

    assertThat(command.view().explain())
        .contains("Came too fast for the rate limiter: 1; in force is what rate limiter Limiter ");
  }

  @Test
  void explain_aFallbackThatFailed_saysThatItsCallersGotTheFirstCause() {
    Command<Integer, Integer> command =
        tenrec
            .command("Twice", (Integer i) -> failing())
            .isolation(Isolation.semaphore(1))
            .fallback((i, cause) -> failing())
            .build();

    assertThat(command.attempt(1).isSuccess()).isFalse();

    assertThat(command.view().explain())
        .contains("Fallbacks that failed themselves, so that their callers got the first cause: 1.")
        .doesNotContain("Fallbacks that found no room");
  }

  @Test
  void explain_oneRefusalByAForcedCircuit_isCounted_andSaysWhereTheSettingComesFrom() {
    Command<Integer, Integer> command =
        tenrec
            .command("Forced", (Integer i) -> i)
            .isolation(Isolation.semaphore(1))
            .fallbackValue(0)
            .build();
    tenrec.set("tenrec.command.Forced.circuitBreaker.forceOpen", "true");

    assertThat(command.execute(1)).isZero();

    assertThat(command.view().explain())
        .startsWith(
            "Forced: the circuit is forced open: every call is refused while"
                + " circuitBreaker.forceOpen = true (set for this command).")
        .contains("0 timed out, 1 were refused; 1 of these were answered by the fallback.")
        .contains("Refused by the open circuit: 1. ");
  }

  @Test
  void explain_oneFurtherAttempt_isSaid() {
    AtomicInteger attempts = new AtomicInteger();
    Command<Integer, Integer> command =
        tenrec
            .command("Again", (Integer i) -> attempts.incrementAndGet() == 1 ? failing() : i)
            .isolation(Isolation.semaphore(1))
            .retry(Retry.attempts(2).backoff(Duration.ZERO, Duration.ZERO))
            .build();

    assertThat(command.execute(7)).isEqualTo(7);

    assertThat(command.view().explain())
        .contains("1 of these were further attempts at calls that had failed.");
  }

  @Test
  void explain_twoRefusals_saysWhenTheLastWas() {
    Command<Integer, Integer> command =
        tenrec
            .command("Twice", (Integer i) -> i)
            .isolation(Isolation.semaphore(0))
            .fallbackValue(0)
            .build();
    assertThat(command.execute(1)).isZero();
    time.advanceMillis(1_500);
    assertThat(command.execute(1)).isZero();

    List<JournalEntry> trouble = command.view().lastTrouble();
    assertThat(trouble).extracting(JournalEntry::at).doesNotHaveDuplicates().hasSize(2);
    assertThat(command.view().explain())
        .contains("Found no room: 2, one at " + trouble.get(1).at() + " because ");
  }

  @Test
  void explain_aLateAttempt_saysHowLongItHad() {
    CompletableFuture<Integer> hanging = new CompletableFuture<>();
    Command<Integer, Integer> command =
        tenrec
            .asyncCommand("Limited", (Integer i) -> hanging.thenApply(x -> x))
            .timeout(Duration.ofSeconds(2))
            .withoutCircuitBreaker()
            .retry(Retry.attempts(2).attemptTimeout(Duration.ofMillis(300)).budget(0, 0))
            .fallbackValue(0)
            .build();
    CompletableFuture<Integer> late = command.executeAsync(1);
    time.advanceMillis(300);

    assertThat(late).succeedsWithin(PatientWaits.patience()).isEqualTo(0);
    assertThat(command.view().lastTrouble())
        .singleElement()
        .isInstanceOfSatisfying(
            JournalEntry.CallTimedOut.class,
            entry -> assertThat(entry.timeout()).hasToString("no answer within 300 ms"));
    assertThat(command.view().explain())
        .contains(
            "Without an answer in time: 1; in force is"
                + " execution.isolation.thread.timeoutInMilliseconds = 2000 (set in code), and for"
                + " each attempt retry.attemptTimeoutInMilliseconds = 300 (set in code).");
    hanging.complete(1);
  }

  /** Unlike the one before, which had waited for a thread. */
  @Test
  void explain_aLateCallThatWasAtWork_saysThatALongerTimeMayHelp() {
    CountDownLatch leave = new CountDownLatch(1);
    CountDownLatch inside = new CountDownLatch(2);
    CountDownLatch leaveLast = new CountDownLatch(1);
    CountDownLatch insideLast = new CountDownLatch(1);
    Command<Integer, Integer> command =
        tenrec
            .command(
                "Queued",
                (Integer i) -> {
                  if (i == 3) {
                    insideLast.countDown();
                    leaveLast.await();
                  } else {
                    inside.countDown();
                    leave.await();
                  }
                  return i;
                })
            .isolation(Isolation.threadPool().coreSize(1).queueSize(1))
            .property("execution.isolation.thread.interruptOnTimeout", "false")
            .withoutCircuitBreaker()
            .timeout(Duration.ofMillis(300))
            .build();
    CompletableFuture<Integer> atWork = command.executeAsync(1);
    await().until(() -> inside.getCount() == 1);
    time.advanceMillis(300);
    await().until(atWork::isDone);
    time.advanceMillis(600);
    CompletableFuture<Integer> queued = command.executeAsync(2);
    time.advanceMillis(300);
    await().until(queued::isDone);
    await().until(() -> command.view().explain().contains("waited for a thread all the time"));
    time.advanceMillis(600);
    leave.countDown();
    await().until(() -> command.view().stillBusy() + command.view().concurrency() == 0);
    CompletableFuture<Integer> last = command.executeAsync(3);
    Uninterruptibly.await(insideLast);
    time.advanceMillis(300);
    await().until(last::isDone);
    await()
        .untilAsserted(
            () ->
                assertThat(command.view().explain())
                    .contains("Without an answer in time: 3; ")
                    .contains("A longer time-out helps only if its callers can wait as long.")
                    .doesNotContain("waited for a thread"));
    leaveLast.countDown();
  }

  @Test
  void explain_workThatIsSlowAtTimes_hasItsMedianAndItsPercentile() {
    Command<Integer, Integer> command =
        tenrec
            .command(
                "Slow",
                (Integer millis) -> {
                  time.advanceMillis(millis);
                  return millis;
                })
            .isolation(Isolation.semaphore(1))
            .timeout(Duration.ofMillis(500))
            .property("metrics.rollingStats.timeInMilliseconds", "500")
            .property("metrics.rollingStats.numBuckets", "5")
            .withoutCircuitBreaker()
            .fallbackValue(0)
            .build();
    for (int i = 0; i < 9; i++) {
      assertThat(command.execute(10)).isEqualTo(10);
    }
    assertThat(command.execute(500)).isZero();

    LatencySnapshot work = command.view().latencies().execution();
    assertThat(work.valueAtPercentile(99)).isGreaterThan(2 * work.valueAtPercentile(50));
    assertThat(command.view().explain())
        .contains("Of the last 0.5 s: ")
        .contains(
            String.format(
                Locale.ROOT,
                " The work takes %.1f ms in the median and %.1f ms at the 99th percentile.",
                work.valueAtPercentile(50) / 1e6,
                work.valueAtPercentile(99) / 1e6));
  }

  @Test
  void explain_namesOfSeveralLinesOfAPoolAndABudget_hasThemOnOneLine() {
    CountDownLatch leave = new CountDownLatch(1);
    CountDownLatch inside = new CountDownLatch(1);
    Command<Integer, Integer> command =
        tenrec
            .command(
                "Odd",
                (Integer i) -> {
                  if (i == 0) {
                    return failing();
                  }
                  inside.countDown();
                  leave.await();
                  return i;
                })
            .group("Pool\nforged")
            .isolation(Isolation.threadPool().coreSize(1))
            .retry(Retry.attempts(2).budget(0, 0).sharedBudget("Budget\nforged"))
            .withoutTimeout()
            .fallbackValue(0)
            .build();
    assertThat(command.execute(0)).isZero();
    await().until(() -> command.view().concurrency() == 0);
    CompletableFuture<Integer> atWork = command.executeAsync(1);
    Uninterruptibly.await(inside);
    assertThat(command.execute(2)).isZero();
    String explanation = command.view().explain();
    leave.countDown();
    assertThat(atWork).succeedsWithin(PatientWaits.patience()).isEqualTo(1);

    assertThat(explanation)
        .contains("of thread pool Pool\\nforged; ")
        .contains("is what retry budget Budget\\nforged allows all that share it")
        .satisfies(text -> assertThat(text.lines()).noneMatch(line -> line.startsWith("forged")));
  }

  @Test
  void explain_ofNoCommand_saysSo() {
    assertThatThrownBy(() -> tenrec.explain("Nobody"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("there is no command 'Nobody'");
  }

  /** A line of it that a key or a value has forged would be read as the library's own. */
  @Test
  void explain_keysAndValuesOfSeveralLines_hasThemOnOneLine() {
    Command<Integer, Integer> command =
        tenrec
            .command("Odd\nforged", (Integer i) -> failing())
            .isolation(Isolation.semaphore(0).shared("Shared\nforged"))
            .errorThreshold(50, 2)
            .rateLimit(RateLimit.of(3, Duration.ofDays(1)).shared("Limiter\nforged"))
            .fallbackValue(0)
            .build();
    tenrec.set("tenrec.command.Odd\nforged.fallback.enabled", "perhaps\nforged");
    for (int i = 0; i < 8; i++) {
      assertThat(command.execute(1)).isZero();
    }
    assertThat(command.closeCircuit("none is open\nforged")).isFalse();
    assertThat(command.view().explain())
        .contains("Odd\\nforged: the circuit is ")
        .contains("semaphore Shared\\nforged had no permit left")
        .contains("of semaphore Shared\\nforged")
        .contains("rate limiter Limiter\\nforged allows")
        .contains("fallback.enabled = perhaps\\nforged")
        .satisfies(text -> assertThat(text.lines()).noneMatch(line -> line.startsWith("forged")));
  }

  @Test
  void explain_anEndlessKey_saysWhatIsTheMatterAllTheSame() {
    Command<Integer, Integer> command =
        tenrec
            .command("K".repeat(1_000_000), (Integer i) -> i)
            .isolation(Isolation.semaphore(2))
            .build();
    assertThat(command.view().explain())
        .contains("... (1000000 characters): the circuit is closed.")
        .hasSizeLessThan(2_000);
  }
}
