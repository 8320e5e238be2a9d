// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandProperty;
import dev.tenrec.annotations.Contexts;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandView;
import io.reactivex.rxjava3.core.Single;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import reactor.core.publisher.Mono;

/** A method that may be attempted again: each attempt goes through the advice further in. */
class RetriedMethodTest {

  private static final String AT_ONCE = "retry.longestDelayInMilliseconds";

  private AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

  @AfterEach
  void close() {
    context.close();
  }

  @Configuration
  @EnableAspectJAutoProxy
  static class Advised {

    @Bean
    Inner inner() {
      return new Inner();
    }

    @Bean
    Quotes quotes() {
      return new Quotes();
    }
  }

  /** Further in than commands, as a transaction would be. */
  @Aspect
  @Order(Ordered.LOWEST_PRECEDENCE)
  static class Inner {

    final AtomicInteger entered = new AtomicInteger();

    @Around("@annotation(command)")
    Object around(ProceedingJoinPoint point, Command command) throws Throwable {
      entered.incrementAndGet();
      return point.proceed();
    }
  }

  /** Fails twice, then answers with the number of the attempt. */
  static class Quotes {

    final AtomicInteger attempts = new AtomicInteger();

    private String answer(String sku) throws IOException {
      int attempt = attempts.incrementAndGet();
      if (attempt < 3) {
        throw new IOException("attempt " + attempt);
      }
      return sku + attempt;
    }

    @Command(
        attempts = 3,
        isolation = IsolationStrategy.SEMAPHORE,
        commandProperties = @CommandProperty(name = AT_ONCE, value = "0"))
    public String here(String sku) throws IOException {
      return answer(sku);
    }

    @Command(
        attempts = 3,
        isolation = IsolationStrategy.THREAD,
        commandProperties = @CommandProperty(name = AT_ONCE, value = "0"))
    public String pooled(String sku) throws IOException {
      return answer(sku);
    }

    @Command(attempts = 3, commandProperties = @CommandProperty(name = AT_ONCE, value = "0"))
    public CompletableFuture<String> staged(String sku) throws IOException {
      return CompletableFuture.completedFuture(answer(sku));
    }

    @Command(attempts = 3, commandProperties = @CommandProperty(name = AT_ONCE, value = "0"))
    public Future<String> later(String sku) throws IOException {
      return CompletableFuture.completedFuture(answer(sku));
    }

    @Command(attempts = 3, commandProperties = @CommandProperty(name = AT_ONCE, value = "0"))
    public Mono<String> mono(String sku) {
      return Mono.fromCallable(() -> answer(sku));
    }

    @Command(attempts = 3, commandProperties = @CommandProperty(name = AT_ONCE, value = "0"))
    public Single<String> single(String sku) {
      return Single.fromCallable(() -> answer(sku));
    }

    @Command(
        attempts = 3,
        retryOn = {IllegalStateException.class, UnsupportedOperationException.class},
        commandProperties = @CommandProperty(name = AT_ONCE, value = "0"))
    public String others(String sku) throws IOException {
      return answer(sku);
    }

    @Command(
        attempts = 2,
        fallbackMethod = "counted",
        commandProperties = @CommandProperty(name = AT_ONCE, value = "0"))
    public String served(String sku) throws IOException {
      return answer(sku);
    }

    @Command
    public String counted(String sku) {
      return sku + " unknown after " + attempts.get();
    }
  }

  private interface Calling {
    Object call(Quotes quotes) throws Exception;
  }

  private static Arguments of(String method, Calling calling) {
    return Arguments.of(method, calling);
  }

  static Stream<Arguments> doors() {
    return Stream.of(
        of("here", quotes -> quotes.here("a")),
        of("pooled", quotes -> quotes.pooled("a")),
        of("staged", quotes -> quotes.staged("a").get()),
        of("later", quotes -> quotes.later("a").get()),
        of("mono", quotes -> quotes.mono("a").block()),
        of("single", quotes -> quotes.single("a").blockingGet()));
  }

  private Quotes quotes() {
    context = Contexts.of(Advised.class);
    return context.getBean(Quotes.class);
  }

  private CommandView view(String method) {
    return context.getBean(Tenrec.class).commands().stream()
        .filter(view -> view.key().equals("Quotes." + method))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("doors")
  void failures_thenASuccess_goThroughTheAdviceEachTime(String method, Calling calling)
      throws Exception {
    Quotes quotes = quotes();

    assertThat(calling.call(quotes)).isEqualTo("a3");
    assertThat(context.getBean(Inner.class).entered).hasValue(3);
    assertThat(view(method).cumulativeCount(EventType.RETRY)).isEqualTo(2);
    assertThat(view(method).cumulativeCount(EventType.FAILURE)).isEqualTo(2);
    assertThat(view(method).cumulativeCount(EventType.SUCCESS)).isOne();
  }

  @Test
  void failure_thatIsNotNamed_isTheAnswer() {
    Quotes quotes = quotes();

    assertThatThrownBy(() -> quotes.others("a"))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("attempt 1");
    assertThat(view("others").cumulativeCount(EventType.RETRY)).isZero();
  }

  @Test
  void fallback_thatIsACommand_comesAfterTheLastAttemptAndByTheProxy() throws IOException {
    Quotes quotes = quotes();

    assertThat(quotes.served("a")).isEqualTo("a unknown after 2");
    assertThat(view("counted").cumulativeCount(EventType.SUCCESS)).isOne();
  }

  @Test
  void attempts_byASetting_changeWhileItRuns() {
    Quotes quotes = quotes();

    context.getBean(Tenrec.class).set("tenrec.command.Quotes.here.retry.attempts", "1");
    assertThatThrownBy(() -> quotes.here("a")).hasMessage("attempt 1");
  }
}
