// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandProperty;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.view.RetryBudgetDetails;
import dev.tenrec.metrics.event.EventType;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/** A method that may have attempts beside one another: each goes through the advice further in. */
class HedgedMethodTest {

  private final AdvisedBean<Quotes> advised = new AdvisedBean<>(Quotes.class);
  private final Quotes quotes = advised.bean();

  @AfterEach
  void close() {
    advised.close();
  }

  /** The first attempt answers only when the second one has begun, which is the faster one. */
  static class Quotes {

    final AtomicInteger attempts = new AtomicInteger();
    final CompletableFuture<String> never = new CompletableFuture<>();

    private CompletableFuture<String> answer(String sku) {
      int attempt = attempts.incrementAndGet();
      return attempt == 1 ? never : CompletableFuture.completedFuture(sku + attempt);
    }

    @Command(hedgeAfter = "1ms", timeout = "none", sharedBudget = "Warehouse")
    public String pooled(String sku) throws Exception {
      return answer(sku).get();
    }

    @Command(hedgeAfter = "1ms", timeout = "none", sharedBudget = "Warehouse")
    public CompletableFuture<String> staged(String sku) {
      return answer(sku);
    }

    @Command(hedgeAfter = "1ms", timeout = "none", sharedBudget = "Warehouse")
    public Mono<String> mono(String sku) {
      return Mono.defer(() -> Mono.fromFuture(answer(sku)));
    }

    @Command(
        attempts = 4,
        hedgeAfter = "p95",
        hedges = 2,
        sharedBudget = "Warehouse",
        commandProperties =
            @CommandProperty(name = "retry.longestDelayInMilliseconds", value = "0"))
    public String both(String sku) throws IOException {
      int attempt = attempts.incrementAndGet();
      if (attempt < 3) {
        throw new IOException("attempt " + attempt);
      }
      return sku + attempt;
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
        of("pooled", quotes -> quotes.pooled("a")),
        of("staged", quotes -> quotes.staged("a").get()),
        of("mono", quotes -> quotes.mono("a").block()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("doors")
  void slowAttempt_isOutrun_andBothGoThroughTheAdvice(String method, Calling calling)
      throws Exception {
    assertThat(calling.call(quotes)).isEqualTo("a2");
    assertThat(advised.entered()).isEqualTo(2);
    assertThat(advised.view(method).cumulativeCount(EventType.HEDGE)).isOne();
    // a caller that waits may have gone on without a thread that is held up before it counts
    await().until(() -> advised.view(method).cumulativeCount(EventType.SUCCESS) == 1);
  }

  @Test
  void attempts_besideHedges_areSettingsOfTheCommand() throws IOException {
    try (AdvisedBean<Quotes> timeless = AdvisedBean.timeless(Quotes.class)) {
      Tenrec tenrec = timeless.tenrec();

      assertThat(timeless.bean().both("a")).isEqualTo("a3");
      assertThat(timeless.view("both").cumulativeCount(EventType.RETRY)).isEqualTo(2);
      assertThat(tenrec.<Integer>setting(CommandProperties.HEDGE_PERCENTILE, "Quotes.both"))
          .isEqualTo(95);
      assertThat(tenrec.<Integer>setting(CommandProperties.HEDGE_AT_MOST, "Quotes.both"))
          .isEqualTo(2);
      assertThat(tenrec.<Duration>setting(CommandProperties.HEDGE_AFTER, "Quotes.pooled"))
          .isEqualTo(Duration.ofMillis(1));
    }
  }

  @Test
  void budget_thatIsShared_isOneOfAllItsMethods() throws IOException {
    try (AdvisedBean<Quotes> timeless = AdvisedBean.timeless(Quotes.class)) {
      Tenrec tenrec = timeless.tenrec();
      tenrec.set("tenrec.retrybudget.Warehouse.perSecond", "2");

      assertThat(timeless.bean().both("a")).isEqualTo("a3");

      RetryBudgetDetails budget = tenrec.retryBudgets().get(0);
      assertThat(tenrec.retryBudgets()).hasSize(1);
      assertThat(budget.name()).isEqualTo("Warehouse");
      assertThat(budget.spent()).isEqualTo(2);
      assertThat(budget.available()).isEqualTo(18);
      assertThat(budget.commands())
          .containsExactlyInAnyOrder(
              "Quotes.pooled", "Quotes.staged", "Quotes.mono", "Quotes.both");
    }
  }
}
