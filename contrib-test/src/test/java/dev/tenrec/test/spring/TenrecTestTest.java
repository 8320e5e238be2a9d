// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test.spring;

import static dev.tenrec.test.TenrecAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.boot.TenrecAutoConfiguration;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.test.Faults;
import dev.tenrec.test.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.TestPropertySource;
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

  @Nested
  @SpringJUnitConfig(Application.class)
  class WithoutTheAnnotation {
    @Autowired ObjectProvider<Faults> faults;

    @Test
    void context_hasNothingOfTheKit() {
      assertThat(faults.getIfAvailable()).isNull();
    }
  }
}
