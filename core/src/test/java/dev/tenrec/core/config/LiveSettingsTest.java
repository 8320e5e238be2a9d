// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.HeldWork;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.core.work.Work;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import io.reactivex.rxjava3.core.Flowable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every property of a command, changed while it is in use: the next call goes by it. */
class LiveSettingsTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();

  @AfterEach
  void close() {
    Elsewhere.close(tenrec, time);
    assertThat(tenrec.refusedSettings()).isZero();
    assertThat(tenrec.liveThreads()).isZero();
  }

  private void set(String property, Object value) {
    tenrec.set("tenrec.command.C." + property, value.toString());
  }

  private void clear(String property) {
    tenrec.clear("tenrec.command.C." + property);
  }

  /**
   * Work that takes as many milliseconds as it is asked to; fails when asked for less than none.
   */
  private CommandBuilder<Integer, String> timed() {
    return tenrec
        .<Integer, String>command(
            "C",
            (Integer millis) -> {
              if (millis < 0) {
                throw new IllegalStateException("told to fail");
              }
              time.advanceMillis(millis);
              return "done";
            })
        .isolation(Isolation.semaphore(10));
  }

  private static List<EventType> events(Command<Integer, String> command, int millis) {
    return command.attempt(millis).events();
  }

  @Test
  void timeout() {
    Command<Integer, String> command = timed().build();
    assertThat(events(command, 999)).containsExactly(EventType.SUCCESS);
    set("execution.isolation.thread.timeoutInMilliseconds", 400);
    assertThat(events(command, 399)).containsExactly(EventType.SUCCESS);
    assertThat(command.attempt(400).cause())
        .isInstanceOf(CommandTimeoutException.class)
        .hasMessageContaining("400 ms");
    clear("execution.isolation.thread.timeoutInMilliseconds");
    assertThat(events(command, 400)).containsExactly(EventType.SUCCESS);
  }

  @Test
  void timeoutEnabled() {
    Command<Integer, String> command = timed().build();
    assertThat(events(command, 1_000)).contains(EventType.TIMEOUT);
    set("execution.timeout.enabled", false);
    assertThat(events(command, 100_000)).containsExactly(EventType.SUCCESS);
    clear("execution.timeout.enabled");
    assertThat(events(command, 1_000)).contains(EventType.TIMEOUT);
  }

  @Test
  void timeout_changedDuringACall_isForTheNextOne() {
    Command<Integer, String> command =
        tenrec
            .<Integer, String>command(
                "C",
                (Integer millis) -> {
                  set("execution.isolation.thread.timeoutInMilliseconds", 10);
                  time.advanceMillis(millis);
                  return "done";
                })
            .isolation(Isolation.semaphore(10))
            .build();
    assertThat(events(command, 500)).containsExactly(EventType.SUCCESS);
    assertThat(events(command, 500)).contains(EventType.TIMEOUT);
  }

  @Test
  void interruptOnTimeout() {
    HeldWork held = HeldWork.stubborn();
    Command<String, String> command =
        tenrec.command("C", held).timeout(Duration.ofMillis(100)).build();
    set("execution.isolation.thread.interruptOnTimeout", false);
    CompletableFuture<Outcome<String>> spared = Elsewhere.call(() -> command.attempt("spared"));
    held.awaitRunning(1);
    await()
        .until(
            () ->
                !spared.isDone()
                    && time.waiting().stream()
                        .anyMatch(thread -> thread.getName().equals("caller")));
    time.advanceMillis(100);
    assertThat(spared.join().events()).contains(EventType.TIMEOUT);
    clear("execution.isolation.thread.interruptOnTimeout");
    CompletableFuture<Outcome<String>> hit = Elsewhere.call(() -> command.attempt("hit"));
    held.awaitRunning(2);
    await()
        .until(() -> time.waiting().stream().anyMatch(thread -> thread.getName().equals("caller")));
    time.advanceMillis(100);
    assertThat(hit.join().events()).contains(EventType.TIMEOUT);
    held.awaitInterrupts(1);
    held.letGo();
    held.awaitRunning(0);
    assertThat(held.interrupts()).isOne();
  }

  @Test
  void interruptOnFutureCancel() {
    HeldWork held = HeldWork.stubborn();
    Command<String, String> command = tenrec.command("C", held).withoutTimeout().build();
    CompletableFuture<String> spared = command.executeAsync("spared");
    held.awaitRunning(1);
    assertThat(spared.cancel(true)).isTrue();
    set("execution.isolation.thread.interruptOnFutureCancel", true);
    CompletableFuture<String> hit = command.executeAsync("hit");
    held.awaitRunning(2);
    assertThat(hit.cancel(true)).isTrue();
    held.awaitInterrupts(1);
    clear("execution.isolation.thread.interruptOnFutureCancel");
    CompletableFuture<String> again = command.executeAsync("again");
    held.awaitRunning(3);
    assertThat(again.cancel(true)).isTrue();
    held.letGo();
    held.awaitRunning(0);
    assertThat(held.interrupts()).isOne();
  }

  /** A way to begin a call, and what gives it up. */
  private interface Begun {
    Runnable by(String argument);
  }

  private final HeldWork sparedWork = HeldWork.stubborn();
  private final HeldWork hitWork = HeldWork.stubborn();
  private final Work<String, String> sparedOrHit =
      argument -> (argument.equals("hit") ? hitWork : sparedWork).run(argument);

  private void interruptsByWhatItBeganWith(Begun call) {
    try {
      Runnable spared = call.by("spared");
      sparedWork.awaitRunning(1);
      set("execution.isolation.thread.interruptOnFutureCancel", true);
      spared.run();
      Runnable hit = call.by("hit");
      hitWork.awaitRunning(1);
      clear("execution.isolation.thread.interruptOnFutureCancel");
      hit.run();
      hitWork.awaitInterrupts(1);
    } finally {
      sparedWork.letGo();
      hitWork.letGo();
    }
    sparedWork.awaitRunning(0);
    hitWork.awaitRunning(0);
    assertThat(sparedWork.interrupts()).isZero();
    assertThat(hitWork.interrupts()).isOne();
  }

  @Test
  void interruptOnFutureCancel_changedDuringACall_isForTheNextOne() {
    Command<String, String> command = tenrec.command("C", sparedOrHit).withoutTimeout().build();
    interruptsByWhatItBeganWith(
        argument -> {
          CompletableFuture<String> future = command.executeAsync(argument);
          return () -> assertThat(future.cancel(true)).isTrue();
        });
  }

  @Test
  void interruptOnFutureCancel_changedDuringASingle_isForTheNextOne() {
    Command<String, String> command = tenrec.command("C", sparedOrHit).withoutTimeout().build();
    interruptsByWhatItBeganWith(
        argument -> command.toSingle(argument).subscribe(value -> {}, error -> {})::dispose);
  }

  @Test
  void interruptOnFutureCancel_changedDuringACallOfAReceiver_isForTheNextOne() {
    Command<String, String> command = tenrec.command("C", sparedOrHit).withoutTimeout().build();
    interruptsByWhatItBeganWith(
        argument ->
            command.execute(
                    argument,
                    new Receiver<String>() {
                      @Override
                      public void onValue(String value) {}

                      @Override
                      public void onError(Throwable error) {}
                    })
                ::dispose);
  }

  @Test
  void interruptOnFutureCancel_changedDuringAStream_isForTheNextOne() {
    StreamCommand<String, String> command =
        tenrec
            .<String, String>streamCommand(
                "C", argument -> Flowable.just(sparedOrHit.run(argument)))
            .isolation(Isolation.threadPool())
            .withoutTimeout()
            .build();
    interruptsByWhatItBeganWith(
        argument -> command.toFlowable(argument).subscribe(value -> {}, error -> {})::dispose);
  }

  @Test
  void interruptOnFutureCancel_changedDuringACallWithACacheKey_isForTheNextOne() {
    Command<String, String> command =
        tenrec.command("C", sparedOrHit).cacheKey(argument -> argument).withoutTimeout().build();
    try (RequestContext request = tenrec.openRequest()) {
      interruptsByWhatItBeganWith(
          argument -> command.toSingle(argument).subscribe(value -> {}, error -> {})::dispose);
    }
  }

  @Test
  void semaphoreMaxConcurrentRequests_upAndDownWhileBusy() {
    HeldWork held = HeldWork.polite();
    Command<String, String> command =
        tenrec.command("C", held).isolation(Isolation.semaphore(1)).withoutTimeout().build();
    CompletableFuture<String> first = Elsewhere.call(() -> command.execute("1"));
    held.awaitRunning(1);
    assertThat(command.attempt("refused").events()).contains(EventType.SEMAPHORE_REJECTED);
    set("execution.isolation.semaphore.maxConcurrentRequests", 2);
    CompletableFuture<String> second = Elsewhere.call(() -> command.execute("2"));
    held.awaitRunning(2);
    set("execution.isolation.semaphore.maxConcurrentRequests", 0);
    assertThat(command.view().concurrency()).as("calls in flight stay").isEqualTo(2);
    held.letGo();
    assertThat(first.join() + second.join()).isEqualTo("12");
    assertThat(command.attempt("refused").events()).contains(EventType.SEMAPHORE_REJECTED);
    clear("execution.isolation.semaphore.maxConcurrentRequests");
    assertThat(command.execute("3")).isEqualTo("3");
  }

  @Test
  void stageAbandonAfter() {
    CompletableFuture<String> never =
        new CompletableFuture<>() {
          @Override
          public boolean cancel(boolean mayInterruptIfRunning) {
            return false;
          }
        };
    Command<String, String> command = tenrec.asyncCommand("C", (String s) -> never).build();
    CompletableFuture<String> first = command.executeAsync("1");
    set("execution.isolation.stage.abandonAfterInMilliseconds", 10);
    CompletableFuture<String> second = command.executeAsync("2");
    assertThat(first.cancel(false) && second.cancel(false)).isTrue();
    assertThat(command.view().concurrency()).isEqualTo(2);
    time.advanceMillis(10);
    await().until(() -> command.view().concurrency() == 1);
    time.advanceMillis(59_990);
    await().until(() -> command.view().concurrency() == 0);
    assertThat(command.view().stillBusy()).isZero();
  }

  @Test
  void fallbackEnabled_andItsLimit() {
    Command<Integer, String> command =
        timed().withoutCircuitBreaker().fallback((millis, cause) -> "instead").build();
    assertThat(events(command, -1)).containsExactly(EventType.FAILURE, EventType.FALLBACK_SUCCESS);
    set("fallback.enabled", false);
    assertThat(events(command, -1))
        .containsExactly(
            EventType.FAILURE, EventType.FALLBACK_DISABLED, EventType.EXCEPTION_THROWN);
    clear("fallback.enabled");
    set("fallback.isolation.semaphore.maxConcurrentRequests", 0);
    assertThat(events(command, -1))
        .containsExactly(
            EventType.FAILURE, EventType.FALLBACK_REJECTION, EventType.EXCEPTION_THROWN);
    clear("fallback.isolation.semaphore.maxConcurrentRequests");
    assertThat(command.execute(-1)).isEqualTo("instead");
  }

  @Test
  void fallbackLimit_downWhileBusy_refusesUntilOneHasLeft() {
    HeldWork held = HeldWork.polite();
    Command<Integer, String> command =
        timed()
            .withoutCircuitBreaker()
            .withoutTimeout()
            .fallback((millis, cause) -> held.run("f"))
            .build();
    CompletableFuture<String> first = Elsewhere.call(() -> command.execute(-1));
    CompletableFuture<String> second = Elsewhere.call(() -> command.execute(-1));
    held.awaitRunning(2);
    set("fallback.isolation.semaphore.maxConcurrentRequests", 2);
    assertThat(events(command, -1)).contains(EventType.FALLBACK_REJECTION);
    held.letGo();
    assertThat(first.join() + second.join()).isEqualTo("ff");
    assertThat(events(command, -1)).contains(EventType.FALLBACK_SUCCESS);
  }

  /** A failing call, late enough for the breaker to look. */
  private void fail(Command<Integer, String> command) {
    time.advanceMillis(500);
    assertThat(events(command, -1)).contains(EventType.FAILURE);
  }

  @Test
  void breakerThresholds() {
    Command<Integer, String> command = timed().build();
    fail(command);
    fail(command);
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
    set("circuitBreaker.requestVolumeThreshold", 6);
    assertThat(events(command, 0)).containsExactly(EventType.SUCCESS);
    assertThat(events(command, 0)).containsExactly(EventType.SUCCESS);
    assertThat(events(command, 0)).containsExactly(EventType.SUCCESS);
    assertThat(events(command, 0)).containsExactly(EventType.SUCCESS);
    fail(command);
    assertThat(command.view().health().errorPercentage()).isEqualTo(42);
    assertThat(command.view().circuitState()).as("below 50 %").isEqualTo(CircuitState.CLOSED);
    set("circuitBreaker.errorThresholdPercentage", 42);
    time.advanceMillis(500);
    assertThat(events(command, -1))
        .as("the circuit is looked at before the call is admitted")
        .contains(EventType.SHORT_CIRCUITED);
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.OPEN);
  }

  private Command<Integer, String> open() {
    Command<Integer, String> command = timed().errorThreshold(50, 1).build();
    fail(command);
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.OPEN);
    assertThat(events(command, 0)).contains(EventType.SHORT_CIRCUITED);
    return command;
  }

  @Test
  void sleepWindow_shortenedWhileOpen() {
    Command<Integer, String> command = open();
    time.advanceMillis(1_000);
    assertThat(events(command, 0)).contains(EventType.SHORT_CIRCUITED);
    set("circuitBreaker.sleepWindowInMilliseconds", 1_000);
    assertThat(events(command, 0)).containsExactly(EventType.SUCCESS);
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
  }

  @Test
  void breakerEnabled() {
    Command<Integer, String> command = open();
    set("circuitBreaker.enabled", false);
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.DISABLED);
    assertThat(events(command, 0)).containsExactly(EventType.SUCCESS);
    clear("circuitBreaker.enabled");
    assertThat(events(command, 0))
        .as("it goes on where it was")
        .contains(EventType.SHORT_CIRCUITED);
  }

  /** Calls that were at their work end without a circuit. */
  @Test
  void breakerEnabled_switchedOffDuringACall_leavesTheCircuitClosed() {
    Command<Integer, String> command =
        tenrec
            .<Integer, String>command(
                "C",
                (Integer millis) -> {
                  set("circuitBreaker.enabled", false);
                  time.advanceMillis(millis);
                  throw new IllegalStateException("told to fail");
                })
            .isolation(Isolation.semaphore(10))
            .errorThreshold(50, 1)
            .build();
    assertThat(events(command, 600)).contains(EventType.FAILURE);
    clear("circuitBreaker.enabled");
    assertThat(command.transitions()).isEmpty();
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
  }

  /** It looks at the failures of those that began after it. */
  @Test
  void breakerEnabled_switchedOnDuringACall_isJudgedByTheLookOfThatCall() {
    List<Runnable> during = new ArrayList<>();
    Command<Integer, String> command =
        tenrec
            .<Integer, String>command(
                "C",
                (Integer millis) -> {
                  time.advanceMillis(millis);
                  if (!during.isEmpty()) {
                    during.remove(0).run();
                  }
                  throw new IllegalStateException("told to fail");
                })
            .isolation(Isolation.semaphore(10))
            .errorThreshold(50, 2)
            .build();
    set("circuitBreaker.enabled", false);
    during.add(
        () -> {
          clear("circuitBreaker.enabled");
          assertThat(events(command, 10)).as("no look is due").contains(EventType.FAILURE);
          assertThat(command.transitions()).isEmpty();
          time.advanceMillis(100);
        });
    assertThat(events(command, 10)).contains(EventType.FAILURE);
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.OPEN);
  }

  @Test
  void forceOpen_winsOverForceClosed() {
    Command<Integer, String> command = timed().build();
    set("circuitBreaker.forceClosed", true);
    set("circuitBreaker.forceOpen", true);
    Outcome<String> refused = command.attempt(0);
    assertThat(refused.cause()).isInstanceOf(CircuitOpenException.class);
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.FORCED_OPEN);
    clear("circuitBreaker.forceOpen");
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.FORCED_CLOSED);
    assertThat(events(command, 0)).containsExactly(EventType.SUCCESS);
    clear("circuitBreaker.forceClosed");
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
  }

  @Test
  void forceClosed_letsThroughWhatIsOpen() {
    Command<Integer, String> command = open();
    set("circuitBreaker.forceClosed", true);
    assertThat(events(command, 0)).containsExactly(EventType.SUCCESS);
    clear("circuitBreaker.forceClosed");
    assertThat(events(command, 0)).contains(EventType.SHORT_CIRCUITED);
  }

  @Test
  void observeOnly_letsThroughAndCounts() {
    Command<Integer, String> command = open();
    set("circuitBreaker.observeOnly", true);
    assertThat(events(command, 0)).containsExactly(EventType.SUCCESS);
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.OPEN);
    assertThat(command.view().rollingWouldRefuseCount()).isOne();
    clear("circuitBreaker.observeOnly");
    assertThat(events(command, 0)).contains(EventType.SHORT_CIRCUITED);
    assertThat(command.view().cumulativeWouldRefuseCount()).isOne();
  }

  @Test
  void halfOpenTrials() {
    Command<Integer, String> command = open();
    set("circuitBreaker.halfOpenTrials", 2);
    time.advanceMillis(5_000);
    assertThat(events(command, 0)).containsExactly(EventType.SUCCESS);
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.HALF_OPEN);
    assertThat(events(command, 0)).containsExactly(EventType.SUCCESS);
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
  }

  @Test
  void slowCallDuration() {
    Command<Integer, String> command = timed().errorThreshold(50, 1).build();
    assertThat(events(command, 900)).containsExactly(EventType.SUCCESS);
    assertThat(command.view().health().slow()).isZero();
    set("circuitBreaker.slowCallDurationInMilliseconds", 600);
    assertThat(events(command, 599)).containsExactly(EventType.SUCCESS);
    assertThat(events(command, 600)).containsExactly(EventType.SUCCESS);
    assertThat(command.view().health().slow()).isOne();
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
    assertThat(events(command, 600)).containsExactly(EventType.SUCCESS);
    assertThat(command.view().circuitState()).as("two of four").isEqualTo(CircuitState.OPEN);
  }

  @Test
  void otherSetting_leavesTheHealthAsItIs() {
    Command<Integer, String> command = timed().build();
    assertThat(events(command, -1)).contains(EventType.FAILURE);
    time.advanceMillis(500);
    assertThat(command.view().health().errors()).isOne();
    set("fallback.enabled", false);
    assertThat(command.view().health().errors()).isOne();
    set("circuitBreaker.enabled", false);
    assertThat(command.view().health().errors()).isOne();
    set("circuitBreaker.enabled", true);
    assertThat(command.view().health().errors()).as("before it was enabled").isZero();
  }

  @Test
  void healthInterval() {
    Command<Integer, String> command = timed().errorThreshold(50, 1).build();
    set("metrics.healthSnapshot.intervalInMilliseconds", 10_000);
    time.advanceMillis(900);
    assertThat(events(command, -1)).contains(EventType.FAILURE);
    assertThat(command.view().circuitState())
        .as("a tenth has not passed")
        .isEqualTo(CircuitState.CLOSED);
    set("metrics.healthSnapshot.intervalInMilliseconds", 1_000);
    assertThat(events(command, -1))
        .as("a look is due by now, and comes before the call is admitted")
        .contains(EventType.SHORT_CIRCUITED);
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.OPEN);
  }

  @Test
  void healthInterval_shorterWhileALookIsArmed_hastensThat() {
    Command<Integer, String> command = timed().errorThreshold(50, 4).build();
    set("metrics.healthSnapshot.intervalInMilliseconds", 10_000);
    time.advanceMillis(900);
    assertThat(events(command, -1)).as("left to the timer").contains(EventType.FAILURE);
    set("metrics.healthSnapshot.intervalInMilliseconds", 500);
    for (int i = 0; i < 3; i++) { // the first looks, the others are left to the timer
      assertThat(events(command, -1)).contains(EventType.FAILURE);
    }
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
    time.advanceMillis(500);
    await().until(() -> command.view().circuitState() == CircuitState.OPEN);
  }

  @Test
  void rollingWindow_andItsBuckets() {
    Command<Integer, String> command = timed().build();
    assertThat(events(command, 0)).containsExactly(EventType.SUCCESS);
    set("metrics.rollingStats.timeInMilliseconds", 2_000);
    assertThat(command.view().rollingCount(EventType.SUCCESS)).as("no count is lost").isOne();
    time.advanceMillis(2_200);
    assertThat(command.view().rollingCount(EventType.SUCCESS)).isZero();
    assertThat(events(command, 0)).containsExactly(EventType.SUCCESS);
    time.advanceMillis(1_000);
    assertThat(command.view().rollingCount(EventType.SUCCESS)).isOne();
    set("metrics.rollingStats.numBuckets", 4);
    assertThat(command.view().rollingCount(EventType.SUCCESS)).isOne();
    time.advanceMillis(4_000);
    assertThat(command.view().rollingCount(EventType.SUCCESS)).isZero();
    assertThat(command.view().cumulativeCount(EventType.SUCCESS)).isEqualTo(2);
  }

  @Test
  void percentileWindow_andItsBuckets() {
    Command<Integer, String> command = timed().build();
    assertThat(events(command, 100)).containsExactly(EventType.SUCCESS);
    time.advanceMillis(30_000);
    assertThat(command.view().executionLatency().count()).isOne();
    set("metrics.rollingPercentile.timeInMilliseconds", 6_000);
    assertThat(events(command, 100)).containsExactly(EventType.SUCCESS);
    time.advanceMillis(7_000);
    assertThat(command.view().executionLatency().count()).isZero();
    set("metrics.rollingPercentile.numBuckets", 1);
    assertThat(events(command, 100)).containsExactly(EventType.SUCCESS);
    assertThat(command.view().executionLatency().count()).isOne();
    time.advanceMillis(12_000);
    assertThat(command.view().executionLatency().count()).isZero();
    assertThat(command.view().cumulativeCount(EventType.SUCCESS)).isEqualTo(3);
  }

  @Test
  void percentileEnabled() {
    Command<Integer, String> command = timed().build();
    assertThat(events(command, 100)).containsExactly(EventType.SUCCESS);
    set("metrics.rollingPercentile.enabled", false);
    assertThat(command.view().executionLatency().count()).isZero();
    assertThat(command.execute(100)).isEqualTo("done");
    assertThat(command.view().executionLatency().count()).isZero();
    clear("metrics.rollingPercentile.enabled");
    assertThat(command.execute(100)).isEqualTo("done");
    assertThat(command.view().executionLatency().count()).isOne();
    assertThat(command.view().cumulativeCount(EventType.SUCCESS))
        .as("no success was lost")
        .isEqualTo(3);
  }

  @Test
  void percentileBucketSize_isKnownAndWithoutEffect() {
    Command<Integer, String> command = timed().build();
    set("metrics.rollingPercentile.bucketSize", 1);
    for (int i = 0; i < 10; i++) {
      assertThat(command.execute(1)).isEqualTo("done");
    }
    assertThat(command.view().executionLatency().count()).isEqualTo(10);
  }

  @Test
  void requestCacheAndLog_areKnown() {
    Command<Integer, String> command = timed().cacheKey(millis -> millis).build();
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(events(command, 0)).containsExactly(EventType.SUCCESS);
      assertThat(events(command, 0))
          .containsExactly(EventType.SUCCESS, EventType.RESPONSE_FROM_CACHE);
      set("requestCache.enabled", false);
      assertThat(events(command, 0)).as("runs").containsExactly(EventType.SUCCESS);
      assertThat(request.log().entries()).hasSize(3);
      set("requestLog.enabled", false);
      assertThat(events(command, 0)).containsExactly(EventType.SUCCESS);
      assertThat(request.log().entries()).as("not written").hasSize(3);
      clear("requestCache.enabled");
      clear("requestLog.enabled");
      assertThat(events(command, 0))
          .containsExactly(EventType.SUCCESS, EventType.RESPONSE_FROM_CACHE);
      assertThat(request.log().entries()).hasSize(4);
    }
  }

  @Test
  void threadPoolKeyOverride_withACallInFlight() {
    HeldWork held = HeldWork.polite();
    Command<String, String> command =
        tenrec
            .command("C", held)
            .isolation(Isolation.threadPool().coreSize(1))
            .withoutTimeout()
            .build();
    CompletableFuture<String> before = command.executeAsync("before");
    held.awaitRunning(1);
    set("threadPoolKeyOverride", "Other");
    tenrec.set("tenrec.threadpool.Other.coreSize", "1");
    CompletableFuture<String> after = command.executeAsync("after");
    held.awaitRunning(2);
    assertThat(held.threads())
        .extracting(Thread::getName)
        .containsExactly("tenrec-C-1", "tenrec-Other-1");
    assertThat(command.view().concurrency()).isEqualTo(2);
    assertThatThrownBy(() -> command.execute("full"))
        .hasMessageContaining("thread pool Other is full");
    clear("threadPoolKeyOverride");
    assertThatThrownBy(() -> command.execute("full")).hasMessageContaining("thread pool C is full");
    held.letGo();
    assertThat(before.join() + after.join()).isEqualTo("beforeafter");
    await().until(() -> command.view().concurrency() == 0);
    assertThat(command.execute("again")).isEqualTo("again");
    await().until(() -> tenrec.pools().stream().allMatch(pool -> pool.active() == 0));
  }
}
