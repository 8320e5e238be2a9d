// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test.spring;

import static dev.tenrec.test.TenrecAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.annotations.boot.TenrecAutoConfiguration;
import dev.tenrec.core.Command;
import dev.tenrec.core.Deadline;
import dev.tenrec.core.RateLimit;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.test.Faults;
import dev.tenrec.test.Played;
import dev.tenrec.test.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** Tests that share a context, one after the other: what one of them does is not the next one's. */
class SharedContextTest {

  private static final String TIMEOUT =
      "tenrec.command[Echo].execution.isolation.thread.timeoutInMilliseconds";
  private static final String LOG = "tenrec.command[Echo].requestLog.enabled";

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration(TenrecAutoConfiguration.class)
  static class Application {
    @Bean
    Command<String, String> echo(Tenrec tenrec) {
      tenrec.set(TIMEOUT, "7000"); // as an application that steers itself
      return tenrec.command("Echo", (String a) -> a).build();
    }

    @Bean
    Command<String, String> stuck(Tenrec tenrec) {
      return tenrec.command("Stuck", Failing::hang).build();
    }

    @Bean
    Command<String, String> limited(Tenrec tenrec) {
      return tenrec
          .command("Limited", (String a) -> a)
          .rateLimit(RateLimit.of(1, Duration.ofMinutes(30)))
          .build();
    }

    @Bean
    Command<String, String> retried(Tenrec tenrec) {
      return tenrec
          .command("Retried", (String a) -> a)
          .retry(Retry.attempts(2).backoff(Duration.ZERO, Duration.ZERO).sharedBudget("Warehouse"))
          .build();
    }
  }

  @Nested
  @TenrecTest
  @SpringJUnitConfig(Application.class)
  @TestPropertySource(properties = "of=what is fresh")
  @DirtiesContext
  @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
  class Fresh {
    @Autowired Command<String, String> echo;
    @Autowired Command<String, String> limited;
    @Autowired Command<String, String> retried;
    @Autowired Faults faults;
    @Autowired VirtualTime time;
    @Autowired Tenrec tenrec;

    @BeforeEach
    void callOnce() {
      assertThat(echo.attempt("before each")).isAnsweredByWork();
    }

    @Test
    @Order(1)
    void test_thatUsesUpAllThereIs() {
      faults.on("Echo").first(20).fail(new IOException("down"));
      for (int call = 0; call < 20; call++) {
        assertThat(echo.attempt("a")).hasFailed();
      }
      time.advance(Duration.ofSeconds(1));
      assertThat(echo).hasCircuit(CircuitState.OPEN).hasTransitions(CircuitState.OPEN);

      assertThat(limited.attempt("a")).isAnsweredByWork();
      assertThat(limited.attempt("a")).wasRejected();

      tenrec.set("tenrec.command[Retried].circuitBreaker.enabled", "false");
      faults.on("Retried").fail(new IOException("down"));
      Outcome<String> last;
      do {
        last = retried.attempt("a");
      } while (last.has(EventType.RETRY));
      assertThat(tenrec.retryBudgets().get(0).available()).isZero();

      tenrec.set(TIMEOUT, "1");
      tenrec.set(LOG, "false");
      assertThat(tenrec.setting(CommandProperties.REQUEST_LOG_ENABLED, "Echo")).isFalse();
    }

    @Test
    @Order(2)
    void counts_ofTheNextTest_beginAnew() {
      assertThat(echo)
          .hasCircuit(CircuitState.CLOSED)
          .hasTransitions()
          .hasCounted(EventType.FAILURE, 0)
          .hasCounted(EventType.SUCCESS, 1); // which is before each
      assertThat(echo.view().rollingCount(EventType.FAILURE)).isZero();
      faults.on("Echo").fail(new IOException("down"));
      assertThat(echo.attempt("a")).hasFailed();
      assertThat(echo).hasCounted(EventType.FAILURE, 1);
      Command<String, String> built = tenrec.command("Built", (String a) -> a).build();
      assertThat(built.attempt("a")).isAnsweredByWork();
      assertThat(built).as("a command of this test's").hasCounted(EventType.SUCCESS, 1);
    }

    @Test
    @Order(3)
    void limitsAndBudgets_ofTheNextTest_areWhole() {
      assertThat(limited.attempt("a")).isAnsweredByWork();
      assertThat(tenrec.retryBudgets().get(0).spent()).isZero();
      faults.on("Retried").nth(1).fail(new IOException("down"));
      assertThat(retried.attempt("a")).has(EventType.RETRY).isAnsweredByWork();
    }

    @Test
    @Order(4)
    void settings_ofTheNextTest_areThoseOfTheApplication() {
      assertThat(tenrec.setting(CommandProperties.TIMEOUT, "Echo"))
          .isEqualTo(Duration.ofSeconds(7));
      assertThat(tenrec.setting(CommandProperties.REQUEST_LOG_ENABLED, "Echo")).isTrue();
      assertThat(tenrec.resolvedSettings().properties()).doesNotContainKey(LOG);
    }
  }

  private static boolean asked;

  static boolean isAsked() {
    return asked;
  }

  /** Run by the test below only. */
  @EnabledIf("dev.tenrec.test.spring.SharedContextTest#isAsked")
  @TenrecTest
  @SpringJUnitConfig(Application.class)
  @TestPropertySource(properties = "of=those that fail")
  @DirtiesContext
  @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
  static class Failing {

    private static final CountDownLatch END = new CountDownLatch(1);

    /** Written by the test's thread, read by the work it begins then. */
    private static volatile CountDownLatch beginning = END;

    @Autowired Command<String, String> echo;
    @Autowired Command<String, String> stuck;
    @Autowired Tenrec tenrec;

    @BeforeEach
    void takeBackTheInterrupt() {
      boolean unused = Thread.interrupted();
    }

    @AfterAll
    static void letGo() {
      END.countDown();
    }

    private void getStuck() throws InterruptedException {
      CountDownLatch began = new CountDownLatch(1);
      beginning = began;
      stuck.executeAsync("a");
      assertThat(began.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    }

    /** As a driver that does not care for interrupts. */
    private static String hang(String text) {
      beginning.countDown();
      while (END.getCount() > 0) {
        try {
          END.await();
        } catch (InterruptedException e) {
          // it goes on
        }
      }
      return text;
    }

    @Test
    @Order(1)
    void failsWithARequestOfAnotherThread() throws Exception {
      Thread other =
          new Thread(
              () -> {
                tenrec.openRequest();
                echo.execute("a");
              });
      other.start();
      other.join(PatientWaits.patience().toMillis());
      throw new IllegalStateException("its own");
    }

    @Test
    @Order(2)
    void passesAfterARequestOfAnotherThread() {}

    @Test
    @Order(3)
    void failsWithARequestItHasLeft() {
      RequestContext request = tenrec.openRequest();
      echo.execute("a");
      request.leave();
      throw new IllegalStateException("its own");
    }

    @Test
    @Order(4)
    void passesAfterARequestThatWasLeft() {}

    @Test
    @Order(5)
    void failsWithARequestWithinAnother() {
      tenrec.openRequest();
      tenrec.openRequest();
      throw new IllegalStateException("its own");
    }

    @Test
    @Order(6)
    void passesAfterARequestWithinAnother() {
      assertThat(tenrec.currentRequest()).isEmpty();
    }

    @Test
    @Order(7)
    void failsWithStuckWork() throws Exception {
      getStuck();
      throw new IllegalStateException("its own");
    }

    /** Its time-out has come meanwhile. */
    @Test
    @Order(8)
    void passesBesideStuckWork() {
      assertThat(echo.attempt("a")).isAnsweredByWork();
    }

    @Test
    @Order(9)
    void leavesMoreStuckWork() throws Exception {
      getStuck();
      Thread.currentThread().interrupt(); // so the search does not wait a minute for its end
    }

    @Test
    @Order(10)
    void passesBesideAllStuckWork() {}

    @Test
    @Order(11)
    void leavesADeadline() {
      Deadline.after(tenrec, Duration.ofSeconds(1)).open();
    }

    @Test
    @Order(12)
    void passesWithinADeadline() {}
  }

  @Test
  void tests_afterOnesThatFailed_areNotBlamed() {
    TestExecutionSummary summary;
    asked = true;
    try {
      summary = Played.tests(Failing.class);
    } finally {
      asked = false;
    }
    Map<String, String> messages = Played.failures(summary);
    assertThat(summary.getTestsFoundCount()).isEqualTo(12);
    assertThat(messages)
        .containsOnlyKeys(
            "failsWithARequestOfAnotherThread()",
            "failsWithARequestItHasLeft()",
            "failsWithARequestWithinAnother()",
            "failsWithStuckWork()",
            "leavesMoreStuckWork()",
            "leavesADeadline()")
        .containsEntry("failsWithARequestOfAnotherThread()", "its own")
        .containsEntry("failsWithARequestItHasLeft()", "its own")
        .containsEntry("failsWithARequestWithinAnother()", "its own")
        .containsEntry("failsWithStuckWork()", "its own")
        .hasEntrySatisfying(
            "leavesMoreStuckWork()",
            message ->
                assertThat(message)
                    .contains("2 permits out, of command 'Stuck' (1 since an earlier test)"))
        .hasEntrySatisfying(
            "leavesADeadline()",
            message -> assertThat(message).contains("a deadline that this thread is still within"));
  }
}
