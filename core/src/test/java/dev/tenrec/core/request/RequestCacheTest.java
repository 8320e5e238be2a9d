// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.request;

import static dev.tenrec.metrics.event.EventType.CANCELLED;
import static dev.tenrec.metrics.event.EventType.EXCEPTION_THROWN;
import static dev.tenrec.metrics.event.EventType.FAILURE;
import static dev.tenrec.metrics.event.EventType.FALLBACK_MISSING;
import static dev.tenrec.metrics.event.EventType.FALLBACK_SUCCESS;
import static dev.tenrec.metrics.event.EventType.RESPONSE_FROM_CACHE;
import static dev.tenrec.metrics.event.EventType.SUCCESS;
import static dev.tenrec.metrics.event.EventType.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.HeldWork;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.core.outcome.CommandInterruptedException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.work.CommandDefinition;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.observers.TestObserver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestCacheTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final AtomicInteger runs = new AtomicInteger();
  private final CountDownLatch release = new CountDownLatch(1);
  private final List<Thread> callers = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    release.countDown();
    Elsewhere.close(tenrec, time);
    // where time goes on while another thread closes, that does not wait for all of them
    await().until(() -> tenrec.liveThreads() == 0);
  }

  static List<Isolation> isolations() {
    return RequestContextTest.isolations().toList();
  }

  private CommandBuilder<String, String> counting(String key) {
    return tenrec.command(key, (String s) -> s + " " + runs.incrementAndGet()).cacheKey(s -> s);
  }

  private CommandBuilder<String, String> waiting(String key) {
    return tenrec
        .command(
            key,
            (String s) -> {
              int run = runs.incrementAndGet();
              release.await();
              return s + " " + run;
            })
        .cacheKey(s -> s);
  }

  /** What was counted, for all events that were. */
  private static void assertCounts(Command<?, ?> command, EventType... events) {
    for (EventType type : EventType.values()) {
      long expected = List.of(events).stream().filter(event -> event == type).count();
      assertThat(command.view().cumulativeCount(type)).as("%s", type).isEqualTo(expected);
    }
    assertThat(command.view().concurrency()).isZero();
  }

  /** Rows 181, 182, 183: through every door. */
  @ParameterizedTest
  @MethodSource("isolations")
  void hit_equalKey_isAnsweredWithoutARun(Isolation isolation) {
    Command<String, String> command = counting("Get").isolation(isolation).build();
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(command.attempt("a").events()).containsExactly(SUCCESS);
      assertThat(command.execute("a")).isEqualTo("a 1");
      assertThat(command.executeAsync("a").join()).isEqualTo("a 1");
      assertThat(command.toSingle("a").blockingGet()).isEqualTo("a 1");
      Outcome<String> hit = command.attempt("a");
      assertThat(hit.value()).isEqualTo("a 1");
      assertThat(hit.events()).containsExactly(SUCCESS, RESPONSE_FROM_CACHE);
      assertThat(hit.callerLatency()).isZero();
      assertThat(command.execute("b")).isEqualTo("b 2");
      assertThat(command.execute("")).isEqualTo(" 3");
      assertThat(command.execute("")).isEqualTo(" 3");
    }
    try (RequestContext next = tenrec.openRequest()) {
      assertThat(command.execute("a")).isEqualTo("a 4");
    }
    assertCounts(
        command,
        SUCCESS,
        SUCCESS,
        SUCCESS,
        SUCCESS,
        RESPONSE_FROM_CACHE,
        RESPONSE_FROM_CACHE,
        RESPONSE_FROM_CACHE,
        RESPONSE_FROM_CACHE,
        RESPONSE_FROM_CACHE);
  }

  /** Also where it has no execution, which execute saves. */
  @Test
  void hit_ofARunThatHasEnded_isInTheRequestsLog() {
    Command<String, String> command = counting("Get").build();
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(command.attempt("a").events()).containsExactly(SUCCESS);
      assertThat(command.execute("a")).isEqualTo("a 1");
      assertThat(request.log())
          .hasToString("Get[SUCCESS][0ms], Get[SUCCESS, RESPONSE_FROM_CACHE][0ms]");
    }
  }

  @Test
  void hit_ofARunThatHasEnded_isReportedToListeners() {
    List<String> hits = new CopyOnWriteArrayList<>();
    Tenrec listened =
        Tenrec.builder()
            .time(time, time)
            .listen(
                new CommandListener() {
                  @Override
                  public void onCacheHit(ListenedCall call) {
                    hits.add("hit " + call.argument());
                  }
                })
            .build();
    try (RequestContext request = listened.openRequest()) {
      Command<String, String> command =
          listened.command("Get", (String s) -> s).cacheKey(s -> s).build();
      assertThat(command.execute("a")).isEqualTo("a");
      assertThat(hits).isEmpty();
      assertThat(command.execute("a")).isEqualTo("a");
      assertThat(command.executeAsync("a").join()).isEqualTo("a");
      assertThat(hits).containsExactly("hit a", "hit a");
    } finally {
      Elsewhere.close(listened, time);
    }
  }

  /** Row 197: as without a cache key. */
  @Test
  void toSingle_whileNobodySubscribes_runsNothing() {
    Command<String, String> command = counting("Get").build();
    try (RequestContext request = tenrec.openRequest()) {
      Single<String> single = command.toSingle("a");
      assertThat(runs).hasValue(0);
      assertThat(single.blockingGet()).isEqualTo("a 1");
      assertThat(single.blockingGet()).as("a hit").isEqualTo("a 1");
    }
    assertCounts(command, SUCCESS, RESPONSE_FROM_CACHE);
  }

  /** Row 181: by command key, whatever was built for it. */
  @Test
  void hit_otherCommand_isAnotherEntry() {
    Command<String, String> command = counting("Get").build();
    Command<String, String> again = counting("Get").build();
    Command<String, String> other = counting("Other").build();
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(command.execute("a")).isEqualTo("a 1");
      assertThat(again.execute("a")).isEqualTo("a 1");
      assertThat(other.execute("a")).isEqualTo("a 2");
    }
  }

  @Test
  void hit_nullResult_isRemembered() {
    Command<String, String> command =
        tenrec
            .<String, String>command(
                "Null",
                (String s) -> {
                  runs.incrementAndGet();
                  return null;
                })
            .cacheKey(s -> s)
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(command.execute("a")).isNull();
      assertThat(command.execute("a")).isNull();
    }
    assertThat(runs).hasValue(1);
  }

  @Test
  void cacheKey_null_sharesNothingAndNeedsNoRequest() {
    Command<String, String> command = counting("Get").cacheKey(s -> null).build();
    assertThat(command.execute("a")).isEqualTo("a 1");
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(command.execute("a")).isEqualTo("a 2");
      assertThat(command.executeAsync("a").join()).isEqualTo("a 3");
    }
  }

  @ParameterizedTest
  @MethodSource("isolations")
  void cacheKey_nullAndTheWorkFails_isAnOrdinaryFailure(Isolation isolation) {
    Command<String, String> command =
        tenrec
            .<String, String>command(
                "Fail",
                (String s) -> {
                  throw new IllegalArgumentException(s);
                })
            .isolation(isolation)
            .cacheKey(s -> null)
            .build();
    assertThatThrownBy(() -> command.execute("a")).hasMessage("a");
    assertCounts(command, FAILURE, FALLBACK_MISSING, EXCEPTION_THROWN);
  }

  @Test
  void cacheKey_ofADefinition_isUsedWhenOverridden() {
    class Get implements CommandDefinition<String, String> {
      @Override
      public String run(String s) {
        return s + " " + runs.incrementAndGet();
      }

      @Override
      public Object cacheKey(String s) {
        return s;
      }
    }
    CommandDefinition<String, String> bare = s -> s + " " + runs.incrementAndGet();
    Command<String, String> get = tenrec.command("Get", new Get()).build();
    Command<String, String> uncached = tenrec.command("Uncached", bare).build();
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(get.execute("a")).isEqualTo("a 1");
      assertThat(get.execute("a")).isEqualTo("a 1");
      assertThat(uncached.execute("a")).isEqualTo("a 2");
      assertThat(uncached.execute("a")).isEqualTo("a 3");
    }
  }

  /** Row 185: the same exception, and the fallback's answer. */
  @Test
  void hit_afterFailure_isAnsweredTheSame() {
    IllegalStateException failure = new IllegalStateException("down");
    CommandBuilder<String, String> failing =
        tenrec
            .<String, String>command(
                "Fail",
                (String s) -> {
                  runs.incrementAndGet();
                  throw failure;
                })
            .cacheKey(s -> s);
    Command<String, String> bare = failing.build();
    try (RequestContext request = tenrec.openRequest()) {
      assertThatThrownBy(() -> bare.execute("a")).isSameAs(failure);
      assertThatThrownBy(() -> bare.execute("a")).isSameAs(failure);
      assertThatThrownBy(() -> bare.executeAsync("a").join()).hasCause(failure);
      Outcome<String> hit = bare.attempt("a");
      assertThat(hit.error()).isSameAs(failure);
      assertThat(hit.events())
          .containsExactly(FAILURE, FALLBACK_MISSING, EXCEPTION_THROWN, RESPONSE_FROM_CACHE);
      assertThat(runs).hasValue(1);
    }
    Command<String, String> answered = failing.fallback((s, cause) -> "instead").build();
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(answered.execute("a")).isEqualTo("instead");
      Outcome<String> hit = answered.attempt("a");
      assertThat(hit.value()).isEqualTo("instead");
      assertThat(hit.cause()).isSameAs(failure);
      assertThat(hit.events()).containsExactly(FAILURE, FALLBACK_SUCCESS, RESPONSE_FROM_CACHE);
      assertThat(runs).hasValue(2);
    }
    IllegalStateException second = new IllegalStateException("of the fallback");
    Command<String, String> unanswered =
        failing
            .fallback(
                (s, cause) -> {
                  throw second;
                })
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      assertThatThrownBy(() -> unanswered.execute("a")).isSameAs(failure);
      Outcome<String> hit = unanswered.attempt("a");
      assertThat(hit.error()).isSameAs(failure);
      assertThat(hit.fallbackError()).isSameAs(second);
      assertThat(runs).hasValue(3);
    }
  }

  /** Rows 185, 186: a time-out stays one, although the work ends late. */
  @Test
  void hit_afterTimeout_isTheSameTimeout() {
    Command<String, String> command = waiting("Slow").timeout(Duration.ofMillis(100)).build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = command.executeAsync("a");
      await().until(() -> runs.get() == 1);
      time.advanceMillis(10); // its own deadline comes after the run's
      CompletableFuture<String> hit = command.executeAsync("a");
      time.advanceMillis(90);
      Throwable error = errorOf(first);
      assertThat(error).isInstanceOf(CommandTimeoutException.class);
      assertThat(errorOf(hit)).isSameAs(error);
      assertThatThrownBy(() -> command.execute("a")).isSameAs(error);
      release.countDown();
      await().until(() -> command.view().concurrency() == 0);
      assertThatThrownBy(() -> command.execute("a")).isSameAs(error);
    }
    assertCounts(
        command,
        TIMEOUT,
        FALLBACK_MISSING,
        EXCEPTION_THROWN,
        RESPONSE_FROM_CACHE,
        RESPONSE_FROM_CACHE,
        RESPONSE_FROM_CACHE);
  }

  /** Row 184, on every isolation and through the doors that wait. */
  @ParameterizedTest
  @MethodSource("isolations")
  void hit_whileTheRunIsPending_waitsForIt(Isolation isolation) {
    Command<String, String> command = waiting("Get").isolation(isolation).build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = onThread(request, () -> command.execute("a"));
      await().until(() -> runs.get() == 1);
      CompletableFuture<Outcome<String>> hit = onThread(request, () -> command.attempt("a"));
      awaitCallerWaits();
      release.countDown();
      assertThat(first.join()).isEqualTo("a 1");
      assertThat(hit.join().value()).isEqualTo("a 1");
      assertThat(hit.join().events()).containsExactly(SUCCESS, RESPONSE_FROM_CACHE);
    }
    assertCounts(command, SUCCESS, RESPONSE_FROM_CACHE);
  }

  /** Whether the run goes on or has ended. */
  @ParameterizedTest
  @MethodSource("isolations")
  void hit_ofARunOfSeveralAttempts_hasThoseOfTheRun(Isolation isolation) {
    Command<String, String> command =
        tenrec
            .command(
                "Get",
                (String s) -> {
                  int run = runs.incrementAndGet();
                  if (run < 3) {
                    throw new IllegalStateException("attempt " + run);
                  }
                  release.await();
                  return s;
                })
            .cacheKey(s -> s)
            .isolation(isolation)
            .timeout(Duration.ofSeconds(100))
            .retry(Retry.attempts(3).backoff(Duration.ofMillis(1), Duration.ofMillis(1)))
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<Outcome<String>> first = onThread(request, () -> command.attempt("a"));
      await()
          .until(
              () -> {
                time.advanceMillis(1);
                return runs.get() == 3;
              });
      CompletableFuture<Outcome<String>> hit = onThread(request, () -> command.attempt("a"));
      awaitCallerWaits();
      release.countDown();
      for (Outcome<String> outcome : List.of(first.join(), hit.join(), command.attempt("a"))) {
        assertThat(outcome.value()).isEqualTo("a");
        assertThat(outcome.attempts()).isEqualTo(3);
        assertThat(outcome.failedAttempts())
            .extracting(Throwable::getMessage)
            .containsExactly("attempt 1", "attempt 2");
      }
    }
  }

  /** A hit's time-out is its own: on a semaphore the run may answer long after. */
  @Test
  void hit_waitingTooLong_timesOutAlone() {
    Command<String, String> command =
        waiting("Get")
            .isolation(Isolation.semaphore(5))
            .timeout(Duration.ofMillis(100))
            .fallback((s, cause) -> "instead of " + cause.getMessage())
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = onThread(request, () -> command.execute("a"));
      await().until(() -> runs.get() == 1);
      time.advanceMillis(50);
      CompletableFuture<Outcome<String>> hit = onThread(request, () -> command.attempt("a"));
      awaitCallerWaits();
      time.advanceMillis(99);
      assertThat(hit).isNotDone();
      time.advanceMillis(1);
      assertThat(hit.join().events())
          .containsExactly(TIMEOUT, FALLBACK_SUCCESS, RESPONSE_FROM_CACHE);
      assertThat(hit.join().value()).contains("100 ms had passed and its work had not ended");
      assertThat(first).isNotDone();
      release.countDown();
      assertThat(first.join()).startsWith("instead");
    }
    assertCounts(command, TIMEOUT, FALLBACK_SUCCESS, TIMEOUT, FALLBACK_SUCCESS);
    assertThat(command.view().health().errors()).isOne();
  }

  /** Row 191. */
  @Test
  void cancel_aHit_leavesTheOthers() {
    Command<String, String> command = waiting("Get").build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = command.executeAsync("a");
      CompletableFuture<String> left = command.executeAsync("a");
      CompletableFuture<String> hit = command.executeAsync("a");
      assertThat(left.cancel(true)).isTrue();
      release.countDown();
      assertThat(first.join()).isEqualTo("a 1");
      assertThat(hit.join()).isEqualTo("a 1");
    }
    await().until(() -> command.view().concurrency() == 0);
    assertCounts(command, SUCCESS, RESPONSE_FROM_CACHE, CANCELLED);
  }

  /** Row 192: by its future, by Rx, and by an interrupt. */
  @Test
  void cancel_theFirst_leavesTheHits() throws Exception {
    Command<String, String> command = waiting("Get").build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = command.executeAsync("a");
      CompletableFuture<String> hit = command.executeAsync("a");
      assertThat(first.cancel(true)).isTrue();
      TestObserver<String> disposed = command.toSingle("b").test();
      TestObserver<String> observed = command.toSingle("b").test();
      disposed.dispose();
      AtomicReference<Outcome<String>> outcome = new AtomicReference<>();
      Thread caller = new Thread(request.wrap(() -> outcome.set(command.attempt("c"))));
      caller.start();
      await().until(() -> runs.get() == 3);
      CompletableFuture<String> third = command.executeAsync("c");
      caller.interrupt();
      caller.join();
      assertThat(outcome.get().error()).isInstanceOf(CommandInterruptedException.class);
      assertThat(outcome.get().events()).containsExactly(CANCELLED);
      release.countDown();
      assertThat(hit.join()).startsWith("a ");
      assertThat(third.join()).startsWith("c ");
      observed.await().assertValueCount(1);
      disposed.assertNoValues().assertNoErrors();
    }
    await().until(() -> command.view().concurrency() == 0);
    assertCounts(
        command,
        SUCCESS,
        SUCCESS,
        SUCCESS,
        RESPONSE_FROM_CACHE,
        RESPONSE_FROM_CACHE,
        RESPONSE_FROM_CACHE);
  }

  /** Rows 193 and 195: what everybody left is cancelled, and a later call runs anew. */
  @Test
  void cancel_everybody_cancelsTheRunAndForgetsIt() {
    CountDownLatch stopped = new CountDownLatch(1);
    Command<String, String> command =
        tenrec
            .command(
                "Get",
                (String s, dev.tenrec.core.work.Call call) -> {
                  int run = runs.incrementAndGet();
                  call.onCancel(stopped::countDown);
                  if (run == 1) {
                    stopped.await();
                  }
                  return s + " " + run;
                })
            .cacheKey(s -> s)
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = command.executeAsync("a");
      CompletableFuture<String> hit = command.executeAsync("a");
      await().until(() -> runs.get() == 1);
      assertThat(first.cancel(true)).isTrue();
      assertThat(stopped.getCount()).isOne();
      assertThat(hit.cancel(true)).isTrue();
      await().until(() -> stopped.getCount() == 0); // a canceller runs in the command's share
      assertThat(command.execute("a")).isEqualTo("a 2");
    }
    await().until(() -> command.view().concurrency() == 0);
    assertCounts(command, CANCELLED, CANCELLED, SUCCESS);
  }

  /** Row 193: how the last one leaves is how the work ends. */
  @Test
  void cancel_byTheLast_interruptsTheWorkAsItsOwnCallerWould() {
    HeldWork held = HeldWork.polite();
    Command<String, String> command =
        tenrec
            .command("Held", held)
            .cacheKey(s -> s)
            .property("execution.isolation.thread.interruptOnFutureCancel", "true")
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = command.executeAsync("a");
      CompletableFuture<String> hit = command.executeAsync("a");
      held.awaitRunning(1);
      assertThat(first.cancel(true)).isTrue();
      assertThat(held.interrupts()).as("another call waits for it").isZero();
      assertThat(hit.cancel(true)).isTrue();
      held.awaitInterrupts(1);
    } finally {
      held.letGo();
    }
    await().until(() -> command.view().concurrency() == 0);
    assertCounts(command, CANCELLED, CANCELLED);
  }

  /** A key that has another call come in when it is hashed for the nth time. */
  private static final class Overtaken {

    private final int nth;
    private final Runnable other;
    private final AtomicInteger hashed = new AtomicInteger();

    private Overtaken(int nth, Runnable other) {
      this.nth = nth;
      this.other = other;
    }

    @Override
    public boolean equals(Object object) {
      return object instanceof Overtaken;
    }

    @Override
    public int hashCode() {
      if (hashed.incrementAndGet() == nth) {
        other.run();
      }
      return 1;
    }
  }

  /**
   * Row 196: a call that is overtaken shares the other's run, whatever it has found before. It
   * hashes its key each time it looks, and once more to put its own run there.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void miss_overtakenByAnEqualKey_sharesTheOtherRun(int nth) {
    Command<Overtaken, Integer> command =
        tenrec
            .command("Get", (Overtaken key) -> runs.incrementAndGet())
            .isolation(Isolation.semaphore(5))
            .cacheKey(key -> key)
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      List<Integer> others = new CopyOnWriteArrayList<>();
      Overtaken plain = new Overtaken(0, () -> {});
      Overtaken overtaken = new Overtaken(nth, () -> others.add(command.execute(plain)));
      assertThat(command.execute(overtaken)).isOne();
      assertThat(others).containsExactly(1);
    }
    assertThat(runs).hasValue(1);
    assertCounts(command, SUCCESS, RESPONSE_FROM_CACHE);
  }

  /** Row 196, by threads: of calls that miss together, one begins the run. */
  @Test
  @Tag("race")
  void race_misses_runOnce() throws Exception {
    int rounds = 1_000;
    Command<Integer, Integer> command =
        tenrec
            .command("Race", (Integer n) -> runs.incrementAndGet())
            .isolation(Isolation.threadPool().coreSize(4))
            .cacheKey(n -> n)
            .build();
    CyclicBarrier barrier = new CyclicBarrier(2);
    try (RequestContext request = tenrec.openRequest()) {
      Runnable caller =
          request.wrap(
              () -> {
                for (int round = 0; round < rounds; round++) {
                  awaitOther(barrier);
                  assertThat(answer(command.executeAsync(round))).isPositive();
                }
              });
      CompletableFuture<Void> other =
          CompletableFuture.runAsync(caller, task -> new Thread(task).start());
      caller.run();
      assertThat(other).succeedsWithin(PatientWaits.patience());
    }
    assertThat(runs).hasValue(rounds);
  }

  /** The work runs on the thread that is interrupted, so there is nothing to go on. */
  @Test
  void interrupt_ofTheFirstInItsOwnThread_isReportedToTheHits() throws Exception {
    Command<String, String> command = waiting("Get").isolation(Isolation.semaphore(5)).build();
    try (RequestContext request = tenrec.openRequest()) {
      AtomicReference<Outcome<String>> outcome = new AtomicReference<>();
      Thread caller = new Thread(request.wrap(() -> outcome.set(command.attempt("a"))));
      caller.start();
      await().until(() -> runs.get() == 1);
      CompletableFuture<Outcome<String>> hit = onThread(request, () -> command.attempt("a"));
      awaitCallerWaits();
      caller.interrupt();
      caller.join();
      assertThat(outcome.get().error()).isInstanceOf(CommandInterruptedException.class);
      assertThat(hit.join().error())
          .isInstanceOf(CancellationException.class)
          .hasMessageContaining("the caller whose run it shared was interrupted");
      release.countDown();
      assertThat(command.execute("a")).isEqualTo("a 2");
    }
  }

  /** Row 188, live. */
  @Test
  void cache_switchedOff_runsEachCall() {
    Command<String, String> command = counting("Get").build();
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(command.execute("a")).isEqualTo("a 1");
      tenrec.set("tenrec.command.Get.requestCache.enabled", "false");
      assertThat(command.execute("a")).isEqualTo("a 2");
      assertThat(command.executeAsync("a").join()).isEqualTo("a 3");
      tenrec.clear("tenrec.command.Get.requestCache.enabled");
      assertThat(command.execute("a")).isEqualTo("a 1");
    }
    tenrec.set("tenrec.command.default.requestCache.enabled", "false");
    assertThat(command.execute("a")).isEqualTo("a 4");
  }

  /** Row 189, through every door; no fallback hides it. */
  @Test
  void cacheKey_withoutRequest_isAClearError() throws Exception {
    Command<String, String> command = counting("Get").fallback((s, cause) -> "hidden").build();
    assertThatThrownBy(() -> command.execute("a"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Get has a cache key")
        .hasMessageContaining("needs an open request")
        .hasMessageContaining("tenrec.openRequest()");
    assertThat(errorOf(command.executeAsync("a"))).isInstanceOf(IllegalStateException.class);
    assertThat(command.attempt("a").error()).isInstanceOf(IllegalStateException.class);
    command.toSingle("a").test().await().assertError(IllegalStateException.class);
    assertThatThrownBy(() -> command.clearCache("a")).isInstanceOf(IllegalStateException.class);
    tenrec.openRequest().close();
    assertThatThrownBy(() -> command.execute("a")).isInstanceOf(IllegalStateException.class);
    assertThat(runs).hasValue(0);
  }

  @Test
  void cacheKey_throwing_failsTheCallOnly() {
    IllegalArgumentException failure = new IllegalArgumentException("no key");
    Command<String, String> command =
        counting("Get")
            .cacheKey(
                s -> {
                  if (s.isEmpty()) {
                    throw failure;
                  }
                  return s;
                })
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      assertThatThrownBy(() -> command.execute("")).isSameAs(failure);
      assertThat(command.attempt("").error()).isSameAs(failure);
      assertThat(command.execute("a")).isEqualTo("a 1");
    }
    assertThat(command.view().health().errors()).isZero();
  }

  /** It comes to no gate. */
  @Test
  void cacheKey_throwing_takesNothingOfTheRate() {
    Command<String, String> command =
        counting("Get")
            .cacheKey(
                s -> {
                  if (s.isEmpty()) {
                    throw new IllegalArgumentException("no key");
                  }
                  return s;
                })
            .rateLimit(1, Duration.ofDays(1), 1)
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(command.attempt("").error()).hasMessage("no key");
      assertThatThrownBy(() -> command.execute("")).hasMessage("no key");
      assertThat(command.execute("a")).isEqualTo("a 1");
      assertThat(command.attempt("b").events()).contains(EventType.RATE_LIMITED);
    }
  }

  /** Row 190. */
  @Test
  void clearCache_key_makesTheNextCallRun() {
    Command<String, String> command = counting("Get").build();
    Command<String, String> keyless = tenrec.command("Keyless", (String s) -> s).build();
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(command.execute("a")).isEqualTo("a 1");
      command.clearCache("a");
      command.clearCache("b");
      assertThat(command.execute("a")).isEqualTo("a 2");
      assertThatThrownBy(() -> keyless.clearCache("a"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Keyless has no cache key");
    }
  }

  /** Row 198: a hit is answered whatever the breaker and the permits say. */
  @Test
  void hit_openCircuitAndNoPermits_isAnswered() {
    Command<String, String> command = counting("Get").build();
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(command.execute("a")).isEqualTo("a 1");
      tenrec.set("tenrec.command.Get.circuitBreaker.forceOpen", "true");
      assertThat(command.execute("a")).isEqualTo("a 1");
      tenrec.clear("tenrec.command.Get.circuitBreaker.forceOpen");
      tenrec.set("tenrec.command.Get.execution.isolation.strategy", "SEMAPHORE");
      tenrec.set("tenrec.command.Get.execution.isolation.semaphore.maxConcurrentRequests", "0");
      assertThat(command.execute("a")).isEqualTo("a 1");
      assertThat(command.attempt("b").events()).contains(EventType.SEMAPHORE_REJECTED);
    }
  }

  /** Asynchronous work shares its stage's end. */
  /** Every call that begins from then on is, as of a command without a cache key. */
  @ParameterizedTest
  @MethodSource("isolations")
  void hit_ofARemovedCommand_isRejected(Isolation isolation) {
    Command<String, String> command = counting("Get").isolation(isolation).build();
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(command.execute("a")).isEqualTo("a 1");
      assertThat(tenrec.remove("Get")).isTrue();
      assertThat(command.isClosed()).isTrue();

      assertThatThrownBy(() -> command.execute("a"))
          .isInstanceOfSatisfying(
              CommandRejectedException.class,
              refused ->
                  assertThat(refused.reason()).isEqualTo(CommandRejectedException.Reason.CLOSED));
      assertThat(command.attempt("a").error()).isInstanceOf(CommandRejectedException.class);
      assertThat(command.executeAsync("a")).isCompletedExceptionally();
      assertThat(command.view().cumulativeCount(RESPONSE_FROM_CACHE)).isZero();
      Command<String, String> anew = counting("Get").isolation(isolation).build();
      assertThat(anew.execute("a")).isEqualTo("a 2");
      assertThat(anew.execute("a")).isEqualTo("a 2");
    }
  }

  @Test
  void hit_asyncCommand_sharesTheStage() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    Command<String, String> command =
        tenrec
            .asyncCommand(
                "Async",
                (String s) -> {
                  runs.incrementAndGet();
                  return stage;
                })
            .cacheKey(s -> s)
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = command.executeAsync("a");
      CompletableFuture<String> hit = command.executeAsync("a");
      assertThat(stage.complete("x")).isTrue();
      assertThat(first.join()).isEqualTo("x");
      assertThat(hit.join()).isEqualTo("x");
      assertThat(command.execute("a")).isEqualTo("x");
    }
    assertThat(runs).hasValue(1);
    assertCounts(command, SUCCESS, RESPONSE_FROM_CACHE, RESPONSE_FROM_CACHE);
  }

  /** Row 196: callers that miss together. Nobody's call is lost, whatever leaves meanwhile. */
  @Test
  @Tag("race")
  void race_missesAndCancels_runOnceOrAnew() {
    int rounds = 1_500;
    AtomicIntegerArray ran = new AtomicIntegerArray(rounds);
    Command<Integer, Integer> command =
        tenrec
            .command("Race", (Integer round) -> ran.incrementAndGet(round))
            // room for many that were given up: their threads may be late to leave them
            .isolation(Isolation.threadPool().coreSize(200))
            .cacheKey(round -> round)
            .build();
    AtomicInteger answered = new AtomicInteger();
    AtomicInteger cancelled = new AtomicInteger();
    CyclicBarrier barrier = new CyclicBarrier(2);
    try (RequestContext request = tenrec.openRequest()) {
      Runnable caller =
          request.wrap(
              () -> {
                for (int round = 0; round < rounds; round++) {
                  awaitOther(barrier);
                  CompletableFuture<Integer> call = command.executeAsync(round);
                  if (isCancelled(round) && call.cancel(true)) {
                    cancelled.incrementAndGet();
                  } else if (answer(call) > 0) {
                    answered.incrementAndGet();
                  }
                }
              });
      CompletableFuture<Void> other = Elsewhere.call(Executors.callable(caller, null));
      caller.run();
      assertThat(other).succeedsWithin(PatientWaits.patience());
    }
    await().until(() -> command.view().concurrency() == 0);
    assertThat(answered.get() + cancelled.get()).isEqualTo(2 * rounds);
    for (int round = 0; round < rounds; round++) {
      if (isCancelled(round)) { // each may have begun before it was given up
        assertThat(ran.get(round)).as("runs in round %s", round).isBetween(0, 2);
      } else {
        assertThat(ran.get(round)).as("runs in round %s", round).isOne();
      }
    }
  }

  private static boolean isCancelled(int round) {
    return round % 3 == 0;
  }

  private static int answer(CompletableFuture<Integer> call) {
    assertThat(call).succeedsWithin(PatientWaits.patience());
    return call.join();
  }

  /** The other thread may have failed, and does not come. */
  private static void awaitOther(CyclicBarrier barrier) {
    try {
      barrier.await(PatientWaits.seconds(), TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Not the common pool, which may have a single thread. */
  private <T> CompletableFuture<T> onThread(RequestContext request, Supplier<T> call) {
    return CompletableFuture.supplyAsync(
        request.wrapSupplier(call),
        task -> {
          Thread caller = new Thread(task, "caller");
          callers.add(caller);
          caller.start();
        });
  }

  /** The last of them. */
  private void awaitCallerWaits() {
    Thread last = callers.get(callers.size() - 1);
    await().until(() -> time.waiting().contains(last));
  }

  private static Throwable errorOf(CompletableFuture<?> future) {
    return future.handle((value, error) -> error).join();
  }
}
