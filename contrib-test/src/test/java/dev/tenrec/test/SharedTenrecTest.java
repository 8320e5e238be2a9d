// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import static dev.tenrec.test.TenrecAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RateLimit;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CircuitState;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A Tenrec that tests share without Spring. */
class SharedTenrecTest {

  private static final String TIMEOUT =
      "tenrec.command.Echo.execution.isolation.thread.timeoutInMilliseconds";

  private final TestTenrec test = TestTenrec.create();
  private final Tenrec tenrec = test.tenrec();
  private final Faults faults = test.faults();
  private final SharedTenrec shared = new SharedTenrec(tenrec, faults);
  private final Command<String, String> echo = tenrec.command("Echo", (String a) -> a).build();

  @AfterEach
  void end() {
    test.close();
  }

  @Test
  void test_afterOneThatPassed_countsForItself() {
    shared.beforeTest();
    faults.on("Echo").fail(new IOException("down"));
    assertThat(echo.attempt("a")).hasFailed();
    assertThat(echo).hasCounted(EventType.FAILURE, 1);
    shared.afterTest(true);

    shared.beforeTest();
    assertThat(echo.attempt("a")).isAnsweredByWork();
    assertThat(echo).hasCounted(EventType.FAILURE, 0).hasCounted(EventType.SUCCESS, 1);
    assertThat(echo.view().cumulativeCount(EventType.FAILURE)).as("for publishers").isEqualTo(1);
    shared.afterTest(true);
  }

  @Test
  void test_thatPassedAndLeftARequest_failsAndNoOther() {
    shared.beforeTest();
    RequestContext left = tenrec.openRequest();
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> shared.afterTest(true))
        .withMessageContaining("a request that this thread is still at");
    assertThat(left.isClosed()).isTrue();
    shared.beforeTest();
    shared.afterTest(true);
  }

  /** The rate limit is of a command's own, and nobody can see what is left of it. */
  @Test
  void test_afterOneThatUsedUpARateLimit_findsItWhole() {
    Command<String, String> limited =
        tenrec
            .command("Limited", (String a) -> a)
            .rateLimit(RateLimit.of(1, Duration.ofHours(1)))
            .isolation(Isolation.semaphore(1))
            .build();
    for (int tests = 0; tests < 2; tests++) {
      shared.beforeTest();
      assertThat(limited.attempt("a")).isAnsweredByWork();
      assertThat(limited.attempt("a")).has(EventType.RATE_LIMITED);
      shared.afterTest(true);
    }
  }

  @Test
  void settings_ofATest_areTakenBackAndOthersStay() {
    tenrec.set(TIMEOUT, "7000");
    tenrec.set("tenrec.command.Echo.requestLog.enabled", "false");
    Map<String, String> first = tenrec.resolvedSettings().properties();
    shared.beforeTest();
    tenrec.set(TIMEOUT, "1");
    tenrec.set("tenrec.command.Echo.circuitBreaker.enabled", "false");
    faults.open("Echo");
    shared.afterTest(true);
    assertThat(tenrec.resolvedSettings().properties()).isEqualTo(first);
    assertThat(tenrec.setting(CommandProperties.TIMEOUT, "Echo")).isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void settings_thatAFaultReplaced_areThereForTheNextTest() {
    tenrec.set("tenrec.command.Echo.execution.isolation.strategy", "SEMAPHORE");
    Map<String, String> first = tenrec.resolvedSettings().properties();
    shared.beforeTest();
    faults.reject("Echo");
    assertThat(echo.attempt("a")).isNotAnswered();
    shared.afterTest(true);
    assertThat(tenrec.resolvedSettings().properties()).isEqualTo(first);
  }

  /** An application's own source, whose values may change. */
  private static final class Own implements SettingsSource {

    // Written by the test's thread, read by any.
    private volatile Map<String, String> values = Map.of();
    private volatile Runnable onChange = () -> {};

    void say(Map<String, String> now) {
      values = now;
      onChange.run();
    }

    @Override
    public Map<String, String> values(String prefix) {
      return values;
    }

    @Override
    public Subscription subscribe(Runnable changed) {
      onChange = changed;
      return () -> {};
    }

    @Override
    public void close() {}
  }

  /** No test can have set it, and it is not for the kit to take back. */
  @Test
  void settings_ofASourceOfItsOwnThatChanged_stayAsTheyAre() {
    Own source = new Own();
    try (TestTenrec own = TestTenrec.create(builder -> builder.source(source))) {
      SharedTenrec sharing = new SharedTenrec(own.tenrec(), own.faults());
      own.tenrec().command("Echo", (String a) -> a).build();
      sharing.beforeTest();
      source.say(Map.of(TIMEOUT, "8000"));
      sharing.afterTest(true);
      assertThat(own.tenrec().setting(CommandProperties.TIMEOUT, "Echo"))
          .isEqualTo(Duration.ofSeconds(8));
      sharing.beforeTest();
      sharing.afterTest(true);
    }
  }

  @Test
  void test_afterOneThatOpenedACircuit_findsItClosed() {
    Command<String, String> fragile =
        tenrec.command("Fragile", (String a) -> a).errorThreshold(50, 2).build();
    shared.beforeTest();
    faults.on("Fragile").fail(new IOException("down"));
    for (int call = 0; call < 4; call++) {
      assertThat(fragile.attempt("a")).isNotAnswered();
      test.time().advance(Duration.ofSeconds(1)); // for a circuit that looks now and then
    }
    assertThat(fragile).hasCircuit(CircuitState.OPEN);
    shared.afterTest(true);

    shared.beforeTest();
    faults.on("Fragile").first(1).fail(new IOException("down"));
    assertThat(fragile.attempt("a")).hasFailed();
    assertThat(fragile.attempt("a")).as("it is no trial that failed").isAnsweredByWork();
    assertThat(fragile).hasTransitions();
    shared.afterTest(true);
  }

  /** What another source says now is not the test's, and is not to be hidden by what it said. */
  @Test
  void settings_thatChangedElsewhere_stayAsTheyAre() {
    tenrec.replaceBaseProperties(Map.of(TIMEOUT, "7000"));
    shared.beforeTest();
    tenrec.replaceBaseProperties(Map.of(TIMEOUT, "8000"));
    shared.afterTest(true);
    tenrec.replaceBaseProperties(Map.of(TIMEOUT, "9000"));
    assertThat(tenrec.setting(CommandProperties.TIMEOUT, "Echo")).isEqualTo(Duration.ofSeconds(9));
  }

  @Test
  void work_thatAFailedTestLeft_isNoLaterTestsUntilItsEnd() {
    HeldCalls held = faults.on("Echo").hold();
    CompletableFuture<String> first = echo.executeAsync("a");
    held.await(1);
    LeftBefore before = new LeftBefore();
    before.remember(tenrec);
    assertThat(before.foundBeyond(tenrec)).isEmpty();
    CompletableFuture<String> second = echo.executeAsync("b");
    held.await(1);
    assertThat(before.foundBeyond(tenrec))
        .containsExactly("2 permits out, of command 'Echo' (1 since an earlier test)");
    held.release();
    assertThat(CompletableFuture.allOf(first, second)).succeedsWithin(PatientWaits.patience());
    assertThat(echo).holdsNoPermit();
    before.forgetWhatHasEnded(tenrec);
    faults.clear();
    HeldCalls again = faults.on("Echo").hold();
    CompletableFuture<String> third = echo.executeAsync("c");
    again.await(1);
    assertThat(before.foundBeyond(tenrec)).containsExactly("1 permits out, of command 'Echo'");
    again.release();
    assertThat(third).succeedsWithin(PatientWaits.patience());
  }
}
