// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import static dev.tenrec.test.TenrecAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.Guard;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.metrics.event.EventType;
import io.reactivex.rxjava3.core.Flowable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Each fault, on each kind of work, as its caller and the command's counts see it. */
@ExtendWith(TenrecExtension.class)
class FaultsTest {

  private static final IOException DOWN = new IOException("down");

  private final AtomicInteger ran = new AtomicInteger();

  private Command<String, String> pooled(Tenrec tenrec) {
    return tenrec.command("Echo", this::echo).build();
  }

  private String echo(String text) {
    ran.incrementAndGet();
    return text;
  }

  @Test
  void fail_onAPool_isTheFailureOfTheWork(Tenrec tenrec, Faults faults) {
    Command<String, String> echo = pooled(tenrec);
    faults.on("Echo").fail(DOWN);
    assertThat(echo.attempt("a"))
        .hasEvents(EventType.FAILURE, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN)
        .hasError(IOException.class);
    assertThat(ran).hasValue(0);
  }

  @Test
  void fail_ofAnotherKey_meetsNoCall(Tenrec tenrec, Faults faults) {
    Command<String, String> echo = pooled(tenrec);
    faults.on("Other").fail(DOWN);
    faults.open("Other");
    assertThat(echo.attempt("a")).isAnsweredByWork().isAnsweredWith("a");
  }

  @Test
  void fail_ofAStage_isTheFailureOfTheWork(Tenrec tenrec, Faults faults) {
    Command<String, String> staged =
        tenrec.asyncCommand("Echo", (String a) -> CompletableFuture.completedFuture(a)).build();
    faults.on("Echo").first(1).fail(DOWN);
    assertThat(staged.attempt("a")).hasFailed().hasCause(IOException.class);
    assertThat(staged.attempt("a")).isAnsweredWith("a");
  }

  @Test
  void fail_ofAStream_isItsEnd(Tenrec tenrec, Faults faults) {
    StreamCommand<String, String> stream =
        tenrec.streamCommand("Echo", (String a) -> Flowable.just(a, a)).build();
    faults.on("Echo").nth(2).fail(DOWN);
    stream.toFlowable("a").test().assertResult("a", "a");
    stream.toFlowable("a").test().assertFailure(IOException.class);
    assertThat(stream).hasCounted(EventType.FAILURE, 1);
  }

  @Test
  void fail_ofAGuard_isTheFailureOfWhatItGuards(Tenrec tenrec, Faults faults) {
    Guard guard = tenrec.guard("Echo").semaphore(1).build();
    faults.on("Echo").fail(DOWN);
    assertThat(guard.attempt(() -> "a")).hasFailed();
    assertThat(guard.attempt(() -> "a", cause -> "b")).isAnsweredByFallback();
    faults.clear("Echo");
    assertThat(guard.attempt(() -> "a")).isAnsweredWith("a");
  }

  @Test
  void fail_ofABatch_isTheFailureOfItsMembers(Tenrec tenrec, Faults faults, VirtualTime time) {
    Collapser<String, String> batched =
        tenrec
            .collapser(
                "Echo",
                (List<String> all) -> all.stream().collect(Collectors.toMap(a -> a, a -> a)))
            .globalScope()
            .maxRequestsInBatch(2)
            .build();
    faults.on("Echo").fail(DOWN);
    CompletableFuture<Outcome<String>> one = batched.attemptAsync("a");
    CompletableFuture<Outcome<String>> two = batched.attemptAsync("b");
    assertThat(one.join()).hasFailed();
    assertThat(two.join()).hasFailed();
  }

  @Test
  void fail_withAnError_isThatError(Tenrec tenrec, Faults faults) {
    Command<String, String> echo = pooled(tenrec);
    faults.on("Echo").fail(() -> new AssertionError("broken"));
    assertThat(echo.attempt("a")).hasCause(AssertionError.class);
  }

  @Test
  void timeOut_onAPool_givesTheCallUpAndDoesNotRunTheWork(Tenrec tenrec, Faults faults) {
    Command<String, String> echo = pooled(tenrec);
    faults.on("Echo").timeOut();
    assertThat(echo.attempt("a")).hasTimedOut();
    assertThat(echo.attemptAsync("a").join()).hasTimedOut();
    assertThat(ran).hasValue(0);
  }

  @Test
  void timeOut_onTheCallersThread_isATimeout(Tenrec tenrec, Faults faults) {
    Command<String, String> echo =
        tenrec.command("Echo", this::echo).isolation(Isolation.semaphore(2)).build();
    faults.on("Echo").timeOut();
    assertThat(echo.attempt("a")).hasTimedOut();
    assertThat(echo.attemptAsync("a").join()).hasTimedOut();
    assertThat(ran).hasValue(0);
  }

  @Test
  void timeOut_ofAStage_isATimeout(Tenrec tenrec, Faults faults) {
    Command<String, String> staged =
        tenrec.asyncCommand("Echo", (String a) -> CompletableFuture.completedFuture(a)).build();
    faults.on("Echo").timeOut();
    assertThat(staged.attempt("a")).hasTimedOut();
  }

  @Test
  void timeOut_withoutATimeout_failsAndSaysWhy(Tenrec tenrec, Faults faults) {
    Command<String, String> echo = tenrec.command("Echo", this::echo).withoutTimeout().build();
    faults.on("Echo").timeOut();
    Outcome<String> outcome = echo.attempt("a");
    assertThat(outcome).hasFailed();
    assertThat(outcome.cause()).hasMessageContaining("'Echo' has no time-out");
  }

  @Test
  void timeOut_inRealTime_isATimeout() {
    Faults faults = Faults.inRealTime();
    try (Tenrec tenrec = faults.applyTo(Tenrec.builder()).build()) {
      Command<String, String> echo =
          tenrec.command("Echo", this::echo).timeout(Duration.ofMillis(5)).build();
      faults.on("Echo").timeOut();
      assertThat(echo.attempt("a")).hasTimedOut();
    }
  }

  @Test
  void delay_inVirtualTime_isTheTimeTheWorkTook(Tenrec tenrec, Faults faults) {
    Command<String, String> echo = pooled(tenrec);
    faults.on("Echo").delay(Duration.ofMillis(300));
    Outcome<String> outcome = echo.attempt("a");
    assertThat(outcome).isAnsweredByWork();
    assertThat(outcome.executionLatency()).isEqualTo(Duration.ofMillis(300));
  }

  @Test
  void delay_ofMoreThanTheTimeout_isATimeout(Tenrec tenrec, Faults faults) {
    Command<String, String> echo =
        tenrec.command("Echo", this::echo).isolation(Isolation.semaphore(1)).build();
    faults.on("Echo").delay(Duration.ofSeconds(3));
    assertThat(echo.attempt("a")).hasTimedOut();
  }

  @Test
  void hold_untilReleased_keepsTheWorkAndItsPermit(Tenrec tenrec, Faults faults) {
    Command<String, String> echo =
        tenrec.command("Echo", this::echo).isolation(Isolation.threadPool().coreSize(1)).build();
    HeldCalls held = faults.on("Echo").hold();
    CompletableFuture<String> first = echo.executeAsync("a");
    held.await(1);
    assertThat(echo.attempt("b")).wasRejected();
    assertThat(first).isNotDone();
    held.release();
    assertThat(first.join()).isEqualTo("a");
  }

  @Test
  void percent_ofAHundredCalls_meetsExactlySoMany(Tenrec tenrec, Faults faults) {
    Command<String, String> echo = pooled(tenrec);
    tenrec.set("tenrec.command.Echo.circuitBreaker.enabled", "false");
    faults.on("Echo").percent(30).fail(DOWN);
    List<Boolean> failed = new ArrayList<>();
    for (int call = 0; call < 100; call++) {
      failed.add(echo.attempt("a").has(EventType.FAILURE));
    }
    assertThat(failed).filteredOn(each -> each).hasSize(30);
    assertThat(failed.subList(0, 10)).filteredOn(each -> each).hasSize(3);
  }

  @Test
  void first_ofARetriedCall_countsAttempts(Tenrec tenrec, Faults faults) {
    Command<String, String> echo =
        tenrec
            .command("Echo", this::echo)
            .retry(Retry.attempts(2).backoff(Duration.ZERO, Duration.ZERO))
            .build();
    faults.on("Echo").first(1).fail(DOWN);
    assertThat(echo.attempt("a")).has(EventType.RETRY).isAnsweredWith("a");
  }

  @Test
  void open_untilCleared_shortCircuits(Tenrec tenrec, Faults faults) {
    Command<String, String> echo = pooled(tenrec);
    faults.open("Echo");
    assertThat(echo.attempt("a")).wasShortCircuited();
    faults.clear("Echo");
    assertThat(echo.attempt("a")).isAnsweredByWork();
    assertThat(echo).hasTransitions();
  }

  @Test
  void reject_untilCleared_rejects(Tenrec tenrec, Faults faults) {
    Command<String, String> echo = pooled(tenrec);
    faults.reject("Echo");
    assertThat(echo.attempt("a")).wasRejected().hasNot(EventType.FAILURE);
    faults.clear();
    assertThat(echo.attempt("a")).isAnsweredByWork();
  }

  @Test
  void clear_ofAKeyThatBeginsAnother_leavesTheOther(Tenrec tenrec, Faults faults) {
    Command<String, String> longer = tenrec.command("Echo.two", this::echo).build();
    faults.open("Echo");
    faults.open("Echo.two");
    faults.clear("Echo");
    assertThat(longer.attempt("a")).wasShortCircuited();
  }

  @Test
  void clear_ofAKeyWhoseBracketsEndAnother_leavesTheOther(Tenrec tenrec, Faults faults) {
    Command<String, String> other = tenrec.command("Echo].two", this::echo).build();
    faults.open("Echo].two");
    faults.clear("Echo");
    assertThat(other.attempt("a")).wasShortCircuited();
    faults.clear("Echo].two");
    assertThat(other.attempt("a")).isAnsweredByWork();
  }

  @Test
  void clear_again_leavesWhatTheTestHasSetUnderTheSameNameSince(Tenrec tenrec, Faults faults) {
    Command<String, String> echo = pooled(tenrec);
    faults.open("Echo");
    faults.clear("Echo");
    tenrec.set("tenrec.command[Echo].circuitBreaker.forceOpen", "true");
    faults.clear("Echo");
    faults.clear();
    assertThat(echo.attempt("a")).wasShortCircuited();
  }

  @Test
  void clear_always_setsAgainWhatWasSetUnderTheSameName(Tenrec tenrec, Faults faults) {
    pooled(tenrec);
    tenrec.set("tenrec.command.Echo.execution.isolation.strategy", "SEMAPHORE");
    tenrec.set("tenrec.command[Echo].circuitBreaker.forceOpen", "false");
    Map<String, String> before = tenrec.resolvedSettings().properties();

    faults.reject("Echo");
    faults.reject("Echo");
    faults.open("Echo");
    assertThat(tenrec.resolvedSettings().properties()).isNotEqualTo(before);
    faults.clear("Echo");

    assertThat(tenrec.resolvedSettings().properties()).isEqualTo(before);
    faults.open("Echo");
    faults.clear();
    assertThat(tenrec.resolvedSettings().properties()).isEqualTo(before);
  }

  @Test
  void clear_always_hidesNothingThatWeakerSourcesSay(Tenrec tenrec, Faults faults) {
    Command<String, String> echo = pooled(tenrec);
    String forceOpen = "tenrec.command.Echo.circuitBreaker.forceOpen";
    tenrec.replaceBaseProperties(Map.of(forceOpen, "false"));
    faults.open("Echo");
    faults.clear();

    tenrec.replaceBaseProperties(Map.of(forceOpen, "true"));
    assertThat(echo.attempt("a")).has(EventType.SHORT_CIRCUITED);
  }

  @Test
  void clear_always_hidesNothingThatWeakerSourcesHaveSaidMeanwhile(Tenrec tenrec, Faults faults) {
    Command<String, String> echo = pooled(tenrec);
    String forceOpen = "tenrec.command.Echo.circuitBreaker.forceOpen";
    tenrec.replaceBaseProperties(Map.of(forceOpen, "false"));
    faults.open("Echo");
    faults.open("Echo");
    tenrec.replaceBaseProperties(Map.of(forceOpen, "true"));
    faults.clear();
    assertThat(echo.attempt("a")).has(EventType.SHORT_CIRCUITED);

    tenrec.replaceBaseProperties(Map.of());
    assertThat(echo.attempt("a")).isAnsweredByWork();
  }

  @Test
  void open_withoutATenrec_saysWhatIsMissing() {
    assertThatIllegalStateException()
        .isThrownBy(() -> Faults.inRealTime().open("Echo"))
        .withMessageContaining("attach(tenrec)");
  }

  /** A fault that had no effect would look like a test that has found something. */
  @Test
  void open_withAnotherPrefix_saysSo() {
    TestTenrec test = TestTenrec.create(builder -> builder.prefix("shop"));
    assertThatIllegalStateException()
        .isThrownBy(() -> test.faults().open("Echo"))
        .withMessageContaining("prefix(..)");
    assertThat(test.tenrec().resolvedSettings().properties()).isEmpty();
    test.close();

    Faults faults = Faults.inRealTime().prefix("shop");
    try (Tenrec tenrec = faults.applyTo(Tenrec.builder().prefix("shop")).build()) {
      faults.attach(tenrec);
      faults.open("Echo");
      assertThat(pooled(tenrec).attempt("a")).wasShortCircuited();
    }
  }

  /** There are settings that begin so; the fault's would have no effect all the same. */
  @Test
  void open_withAPrefixThatBeginsOrGoesBeyondTheOther_saysSo() {
    for (String wrong : List.of("shop", "shop.eu.test")) {
      Faults faults = Faults.inRealTime().prefix(wrong);
      try (Tenrec tenrec = faults.applyTo(Tenrec.builder().prefix("shop.eu")).build()) {
        tenrec.set("shop.eu.command.Echo.requestLog.enabled", "false");
        faults.attach(tenrec);
        assertThatIllegalStateException()
            .as(wrong)
            .isThrownBy(() -> faults.open("Echo"))
            .withMessageContaining("prefix(..)");
        assertThat(tenrec.resolvedSettings().properties()).as(wrong).hasSize(1);
      }
    }
  }

  /** A value of the test's own may refer to it. */
  @Test
  void open_withAnotherPrefix_leavesNothingInMemory() {
    try (TestTenrec test = TestTenrec.create(builder -> builder.prefix("shop"))) {
      assertThatIllegalStateException().isThrownBy(() -> test.faults().open("Echo"));
      test.tenrec()
          .set(
              "shop.command.Echo.circuitBreaker.forceOpen",
              "${tenrec.command[Echo].circuitBreaker.forceOpen}");
      assertThat(pooled(test.tenrec()).attempt("a")).isAnsweredByWork();
    }
  }

  /** An application's own source, which says nothing. */
  private static final class Silent implements SettingsSource {
    @Override
    public Map<String, String> values(String prefix) {
      return Map.of();
    }

    @Override
    public Subscription subscribe(Runnable onChange) {
      return () -> {};
    }

    @Override
    public void close() {}
  }

  /**
   * The test has failed by then: its end is not to fail once more, with the threads still there.
   */
  @Test
  void clear_afterAFaultThatWasRefused_doesNotSoAgain() {
    Faults early = Faults.inRealTime();
    assertThatIllegalStateException().isThrownBy(() -> early.open("Echo"));
    early.clear();

    TestTenrec test = TestTenrec.create(builder -> builder.source(new Silent()));
    assertThatIllegalStateException().isThrownBy(() -> test.faults().reject("Echo"));
    test.abandon();
    await().until(() -> test.tenrec().liveThreads() == 0);
  }

  @Test
  void selection_outOfRange_isRefused(Faults faults) {
    assertThatIllegalArgumentException().isThrownBy(() -> faults.on("Echo").nth(0));
    assertThatIllegalArgumentException().isThrownBy(() -> faults.on("Echo").first(0));
    assertThatIllegalArgumentException().isThrownBy(() -> faults.on("Echo").percent(101));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> faults.on("Echo").delay(Duration.ZERO))
        .withMessageContaining("PT0S");
  }
}
