// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.Contexts;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandView;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.retry.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** Rows of the table of other advice that both lines of Spring have: @Async, spring-retry. */
class AdviceTableTest {

  private AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

  @AfterEach
  void close() {
    context.close();
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

  @Configuration(proxyBeanMethods = false)
  @EnableAsync
  static class Later {

    @Bean
    Executor taskExecutor() {
      return new SimpleAsyncTaskExecutor("springs-");
    }

    @Bean
    Mails mails() {
      return new Mails();
    }
  }

  static class Mails {

    @Async
    @Command(isolation = IsolationStrategy.SEMAPHORE, timeout = "30s")
    public CompletableFuture<String> send() {
      return CompletableFuture.completedFuture(Thread.currentThread().getName());
    }

    @Async
    @Command(isolation = IsolationStrategy.SEMAPHORE, timeout = "30s", fallbackMethod = "unsent")
    public CompletableFuture<String> broken() {
      throw new IllegalStateException("down");
    }

    CompletableFuture<String> unsent() {
      return CompletableFuture.completedFuture("unsent");
    }
  }

  @Test
  void async_isOutside_soTheCommandBeginsOnTheThreadOfSprings() {
    context = Contexts.of(Later.class);
    Mails mails = context.getBean(Mails.class);

    assertThat(mails.send().join()).startsWith("springs-");
    assertThat(mails.broken().join()).isEqualTo("unsent");
    assertThat(view("Mails.send").cumulativeCount(EventType.SUCCESS)).isEqualTo(1);
    assertThat(view("Mails.broken").cumulativeCount(EventType.FAILURE)).isEqualTo(1);
  }

  @Configuration(proxyBeanMethods = false)
  @EnableRetry
  static class Retrying {

    @Bean
    Quotes quotes() {
      return new Quotes();
    }
  }

  static class Quotes {

    private final AtomicInteger calls = new AtomicInteger();

    @Command(timeout = "30s")
    @Retryable(maxAttempts = 3, backoff = @Backoff(delay = 1))
    public String third() {
      if (calls.incrementAndGet() < 3) {
        throw new IllegalStateException("call " + calls);
      }
      return "third";
    }
  }

  @Test
  void springRetry_isInside_soAllAttemptsAreOneExecution() {
    context = Contexts.of(Retrying.class);

    assertThat(context.getBean(Quotes.class).third()).isEqualTo("third");
    awaitCounted("Quotes.third", EventType.SUCCESS, 1);
    assertThat(view("Quotes.third").cumulativeCount(EventType.FAILURE)).isZero();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableRetry(order = 0)
  static class RetryingOutside {

    @Bean
    Quotes quotes() {
      return new Quotes();
    }
  }

  @Test
  void springRetry_withAnOrderBelowTheCommands_isOutside_soEachAttemptIsAnExecution() {
    context = Contexts.of(RetryingOutside.class);

    assertThat(context.getBean(Quotes.class).third()).isEqualTo("third");
    awaitCounted("Quotes.third", EventType.SUCCESS, 1);
    awaitCounted("Quotes.third", EventType.FAILURE, 2);
  }
}
