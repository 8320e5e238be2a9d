// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandProperty;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.metrics.event.EventType;
import io.reactivex.rxjava3.core.Single;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/** A method that may be attempted again: each attempt goes through the advice further in. */
class RetriedMethodTest {

  private static final String AT_ONCE = "retry.longestDelayInMilliseconds";

  private final AdvisedBean<Quotes> advised = AdvisedBean.timeless(Quotes.class);
  private final Quotes quotes = advised.bean();

  @AfterEach
  void close() {
    advised.close();
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

  @ParameterizedTest(name = "{0}")
  @MethodSource("doors")
  void failures_thenASuccess_goThroughTheAdviceEachTime(String method, Calling calling)
      throws Exception {
    assertThat(calling.call(quotes)).isEqualTo("a3");
    assertThat(advised.entered()).isEqualTo(3);
    assertThat(advised.view(method).cumulativeCount(EventType.RETRY)).isEqualTo(2);
    assertThat(advised.view(method).cumulativeCount(EventType.FAILURE)).isEqualTo(2);
    assertThat(advised.view(method).cumulativeCount(EventType.SUCCESS)).isOne();
  }

  @Test
  void failure_thatIsNotNamed_isTheAnswer() {
    assertThatThrownBy(() -> quotes.others("a"))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("attempt 1");
    assertThat(advised.view("others").cumulativeCount(EventType.RETRY)).isZero();
  }

  @Test
  void fallback_thatIsACommand_comesAfterTheLastAttemptAndByTheProxy() throws IOException {
    assertThat(quotes.served("a")).isEqualTo("a unknown after 2");
    assertThat(advised.view("counted").cumulativeCount(EventType.SUCCESS)).isOne();
  }

  @Test
  void attempts_byASetting_changeWhileItRuns() {
    advised.tenrec().set("tenrec.command.Quotes.here.retry.attempts", "1");
    assertThatThrownBy(() -> quotes.here("a")).hasMessage("attempt 1");
  }
}
