// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test.spring;

import static dev.tenrec.test.TenrecAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.boot.TenrecAutoConfiguration;
import dev.tenrec.core.Deadline;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.test.Faults;
import dev.tenrec.test.Played;
import dev.tenrec.test.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.ContextHierarchy;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringExtension;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** The kit in a Spring context: its beans are there, and each test finds the context fresh. */
class TenrecTestTest {

  static class Echo {
    @Command(fallbackMethod = "none")
    public String say(String text) {
      return text;
    }

    String none(String text) {
      return "none";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration(TenrecAutoConfiguration.class)
  static class Application {
    @Bean
    Echo echo() {
      return new Echo();
    }
  }

  private static CommandDetails view(Tenrec tenrec) {
    return tenrec.commands().stream()
        .filter(command -> command.key().equals("Echo.say"))
        .findFirst()
        .orElseThrow();
  }

  @Nested
  @TenrecTest
  @SpringJUnitConfig(Application.class)
  @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
  class InVirtualTime {
    @Autowired Echo echo;
    @Autowired Faults faults;
    @Autowired VirtualTime time;
    @Autowired Tenrec tenrec;

    @Test
    @Order(1)
    void circuit_afterFailures_isOpen() {
      faults.on("Echo.say").fail(new IOException("down"));
      for (int call = 0; call < 20; call++) {
        assertThat(echo.say("a")).isEqualTo("none");
      }
      time.advance(Duration.ofSeconds(1));
      echo.say("a");
      assertThat(view(tenrec)).hasCircuit(CircuitState.OPEN);
      faults.reject("Echo.say");
    }

    @Test
    @Order(2)
    void context_forTheNextTest_isFresh() {
      assertThat(view(tenrec)).hasCircuit(CircuitState.CLOSED);
      assertThat(echo.say("a")).isEqualTo("a");
      assertThat(view(tenrec).rollingCount(EventType.FAILURE)).isZero();
      assertThat(view(tenrec))
          .hasTransitions()
          .hasCounted(EventType.FAILURE, 0)
          .hasCounted(EventType.SUCCESS, 1);
    }
  }

  @Nested
  @TenrecTest(virtualTime = false)
  @SpringJUnitConfig(Application.class)
  @TestPropertySource(properties = "tenrec.prefix=shop")
  class InRealTime {
    @Autowired Echo echo;
    @Autowired Faults faults;
    @Autowired ObjectProvider<VirtualTime> time;
    @Autowired Tenrec tenrec;

    @Test
    void open_withAnotherPrefix_shortCircuits() {
      faults.open("Echo.say");
      assertThat(echo.say("a")).isEqualTo("none");
      assertThat(view(tenrec)).hasCounted(EventType.SHORT_CIRCUITED, 1);
      assertThat(time.getIfAvailable()).isNull();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Without {}

  @Nested
  @TenrecTest
  @ExtendWith(SpringExtension.class)
  @ContextHierarchy({
    @ContextConfiguration(classes = Application.class),
    @ContextConfiguration(classes = Without.class)
  })
  class BelowTheTenrecsContext {
    @Autowired Echo echo;
    @Autowired Faults faults;
    @Autowired VirtualTime time;
    @Autowired Tenrec tenrec;

    @Test
    void fault_ofTheParentsTenrec_meetsIt() {
      faults.on("Echo.say").timeOut();
      long before = time.nanoTime();
      assertThat(echo.say("a")).isEqualTo("none");
      assertThat(time.nanoTime()).isGreaterThan(before);
      assertThat(view(tenrec)).hasCounted(EventType.TIMEOUT, 1);
    }
  }

  @Nested
  @TenrecTest
  @ExtendWith(SpringExtension.class)
  @ContextHierarchy({
    @ContextConfiguration(classes = Without.class),
    @ContextConfiguration(classes = Application.class)
  })
  class AboveTheTenrecsContextIsAnother {
    @Autowired Echo echo;
    @Autowired Faults faults;
    @Autowired Tenrec tenrec;

    @Test
    void fault_ofTheChildsTenrec_meetsIt() {
      faults.on("Echo.say").timeOut();
      assertThat(echo.say("a")).isEqualTo("none");
      assertThat(view(tenrec)).hasCounted(EventType.TIMEOUT, 1);
    }
  }

  @Nested
  @SpringJUnitConfig(Application.class)
  class WithoutTheAnnotation {
    @Autowired ObjectProvider<Faults> faults;

    @Test
    void context_hasNothingOfTheKit() {
      assertThat(faults.getIfAvailable()).isNull();
    }
  }

  private static boolean asked;

  static boolean isAsked() {
    return asked;
  }

  /** Run by the test below only, in a context of its own: its last deadline stays there. */
  @EnabledIf("dev.tenrec.test.spring.TenrecTestTest#isAsked")
  @TenrecTest
  @SpringJUnitConfig(Application.class)
  @TestPropertySource(properties = "of=the careless")
  @DirtiesContext
  @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
  static class Careless {

    private static final CountDownLatch BEGAN = new CountDownLatch(1);
    private static final CountDownLatch END = new CountDownLatch(1);

    @Autowired Tenrec tenrec;

    @BeforeEach
    void takeBackTheInterrupt() {
      boolean unused = Thread.interrupted();
    }

    @AfterAll
    static void letGo() {
      END.countDown(); // whatever came before: closing waits in virtual time
    }

    @Test
    @Order(1)
    void leavesARequest() {
      tenrec.openRequest();
    }

    @Test
    @Order(2)
    void leavesWork() throws Exception {
      tenrec
          .command(
              "Stuck",
              (String a) -> {
                BEGAN.countDown();
                END.await();
                return a;
              })
          .build()
          .executeAsync("a");
      BEGAN.await();
      Thread.currentThread().interrupt(); // so the search does not wait a minute for its end
    }

    @Test
    @Order(3)
    void leavesNothing() {
      END.countDown();
      assertThat(tenrec.currentRequest()).isEmpty();
    }

    @Test
    @Order(4)
    void failsByItself() {
      tenrec.openRequest();
      throw new IllegalStateException("its own");
    }

    @Test
    @Order(5)
    void leavesARequestThatIsNotItsThreads() throws Exception {
      assertThat(tenrec.currentRequest()).as("of the one that failed").isEmpty();
      Thread other =
          new Thread(
              () -> {
                tenrec.openRequest();
                tenrec.command("Echo", (String a) -> a).build().execute("a");
              });
      other.start();
      other.join();
      Thread.currentThread().interrupt(); // nor for this one's
    }

    @Test
    @Order(6)
    void leavesADeadline() {
      Deadline.after(tenrec, Duration.ofSeconds(1)).open();
    }
  }

  @Test
  void tests_thatLeaveThings_failAndNoOther() {
    TestExecutionSummary summary;
    asked = true;
    try {
      summary = Played.tests(Careless.class);
    } finally {
      asked = false;
    }
    Map<String, String> messages = Played.failures(summary);
    assertThat(summary.getTestsSucceededCount()).isEqualTo(1);
    assertThat(messages)
        .containsOnlyKeys(
            "leavesARequest()",
            "leavesWork()",
            "failsByItself()",
            "leavesARequestThatIsNotItsThreads()",
            "leavesADeadline()")
        .containsEntry("failsByItself()", "its own")
        .hasEntrySatisfying(
            "leavesARequest()",
            message -> assertThat(message).contains("a request that this thread is still at"))
        .hasEntrySatisfying(
            "leavesWork()",
            message ->
                assertThat(message)
                    .contains("1 permits out, of command 'Stuck'")
                    .doesNotContain("request"))
        .hasEntrySatisfying(
            "leavesARequestThatIsNotItsThreads()",
            message ->
                assertThat(message)
                    .contains("a request that is still open, in which was called: Echo[SUCCESS]")
                    .doesNotContain("this thread"))
        .hasEntrySatisfying(
            "leavesADeadline()",
            message ->
                assertThat(message)
                    .contains("a deadline that this thread is still within")
                    .doesNotContain("request"));
  }
}
