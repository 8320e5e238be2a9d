// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.boot4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.Contexts;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandView;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;

/** Where commands stand relative to Spring's own retries: inside, each attempt one execution. */
class RetryOrderTest {

  private AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

  @AfterEach
  void close() {
    context.close();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableResilientMethods
  static class Retrying {

    @Bean
    Quotes quotes(Remote remote) {
      return new Quotes(remote);
    }

    @Bean
    Remote remote() {
      return new Remote();
    }
  }

  static class Quotes {

    private final Remote remote;
    private final AtomicInteger calls = new AtomicInteger();

    Quotes(Remote remote) {
      this.remote = remote;
    }

    @Command
    @Retryable(maxRetries = 2, delay = 1)
    public String third() {
      if (calls.incrementAndGet() < 3) {
        throw new IllegalStateException("call " + calls);
      }
      return "third";
    }

    @Command(fallbackMethod = "instead")
    @Retryable(maxRetries = 2, delay = 1)
    public String withFallback() {
      calls.incrementAndGet();
      throw new IllegalStateException("down");
    }

    String instead() {
      return "instead";
    }

    @Command
    public String retriedWithin() {
      return remote.third();
    }
  }

  static class Remote {

    private final AtomicInteger calls = new AtomicInteger();

    @Retryable(maxRetries = 2, delay = 1)
    public String third() {
      if (calls.incrementAndGet() < 3) {
        throw new IllegalStateException("call " + calls);
      }
      return "third";
    }
  }

  private CommandView view(String key) {
    return context.getBean(Tenrec.class).commands().stream()
        .filter(view -> view.key().equals(key))
        .findFirst()
        .orElseThrow();
  }

  /** Soon: a caller may have gone on without a thread that is held up before it counts. */
  private void awaitCounted(String key, EventType event, long times) {
    await().untilAsserted(() -> assertThat(view(key).cumulativeCount(event)).isEqualTo(times));
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        Ordered.HIGHEST_PRECEDENCE,
        Ordered.LOWEST_PRECEDENCE - 100,
        Ordered.LOWEST_PRECEDENCE
      })
  void retry_isOutside_whateverTheOrder_andEachAttemptIsAnExecution(int order) {
    context = Contexts.of(Map.of("tenrec.annotations.order", order), Retrying.class);

    assertThat(context.getBean(Quotes.class).third()).isEqualTo("third");
    awaitCounted("Quotes.third", EventType.FAILURE, 2);
    awaitCounted("Quotes.third", EventType.SUCCESS, 1);
  }

  @Test
  void openCircuit_isRetriedToo_forItIsAnException() {
    context = Contexts.of(Map.of(), Retrying.class);
    Tenrec tenrec = context.getBean(Tenrec.class);
    tenrec.set("tenrec.command.Quotes.third.circuitBreaker.forceOpen", "true");

    assertThatThrownBy(() -> context.getBean(Quotes.class).third())
        .isInstanceOf(dev.tenrec.core.outcome.CircuitOpenException.class);
    assertThat(view("Quotes.third").cumulativeCount(EventType.SHORT_CIRCUITED)).isEqualTo(3);
  }

  @Test
  void fallback_answersBeforeARetryCouldBeMade() {
    context = Contexts.of(Retrying.class);
    Quotes quotes = context.getBean(Quotes.class);

    assertThat(quotes.withFallback()).isEqualTo("instead");
    awaitCounted("Quotes.withFallback", EventType.FAILURE, 1);
  }

  @Test
  void retryOfAnotherBean_isWithinTheExecution() {
    context = Contexts.of(Retrying.class);

    assertThat(context.getBean(Quotes.class).retriedWithin()).isEqualTo("third");
    awaitCounted("Quotes.retriedWithin", EventType.SUCCESS, 1);
    assertThat(view("Quotes.retriedWithin").cumulativeCount(EventType.FAILURE)).isZero();
  }
}
