// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.readme;

import static dev.tenrec.test.TenrecAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Command;
import dev.tenrec.core.Deadline;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.examples.readme.HowToExamples.Order;
import dev.tenrec.examples.readme.HowToExamples.Quote;
import dev.tenrec.examples.readme.HowToExamples.Sku;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.test.TenrecExtension;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The how-to pages say what compiles, what can be set, and what happens: in virtual time, where no
 * call is late because its thread waits for the processor.
 */
@ExtendWith(TenrecExtension.class)
class HowToTest {

  private static final Sku SKU = new Sku("four");
  private static final Quote QUOTE = new Quote(SKU, 100);

  private final HowToExamples examples = new HowToExamples();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pool",
        "semaphore",
        "virtual-threads",
        "timeout",
        "breaker",
        "rate-limit",
        "fallback",
        "retry",
        "hedge",
        "deadlines",
        "cache",
        "collapse"
      })
  void javaOfThePage_isCompiledAsItStands(String page) throws IOException {
    String compiled =
        Pages.bare(
            Pages.read("examples/src/test/java/dev/tenrec/examples/readme/HowToExamples.java"));
    assertThat(Pages.blocks("docs/how-to/" + page + ".md", "java"))
        .isNotEmpty()
        .allSatisfy(block -> assertThat(compiled).contains(Pages.bare(block)));
  }

  /** Names, values and rules: what is wrong is refused, and counted. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "pool",
        "semaphore",
        "virtual-threads",
        "timeout",
        "breaker",
        "rate-limit",
        "fallback",
        "retry",
        "hedge",
        "deadlines",
        "cache",
        "collapse",
        "tuning"
      })
  void settingsOfThePage_areAccepted(String page, Tenrec tenrec) throws IOException {
    Pattern line = Pattern.compile("(\\S+) = (\\S+)\n");
    List<String> blocks = Pages.blocks("docs/how-to/" + page + ".md", "properties");
    assertThat(blocks).isNotEmpty();
    for (String block : blocks) {
      Matcher settings = line.matcher(block);
      while (settings.find()) {
        tenrec.set(settings.group(1), settings.group(2));
      }
    }
    assertThat(tenrec.refusedSettings()).isZero();
  }

  /** In real time, for what waits; with a time-out that a crowded machine does not reach. */
  private static Tenrec patient() {
    Tenrec tenrec = Tenrec.create();
    tenrec.set("tenrec.command.default.execution.isolation.thread.timeoutInMilliseconds", "60000");
    return tenrec;
  }

  @Test
  void commandsOfTheirPages_answer(Tenrec tenrec) {
    assertThat(
            Stream.<Function<Tenrec, Command<Sku, Quote>>>of(
                examples::pool,
                examples::semaphore,
                examples::timeout,
                examples::breaker,
                examples::rateLimit,
                examples::rateLimitByKey,
                examples::fallback,
                examples::retry,
                examples::hedge,
                examples::hedgeAndRetry))
        .allSatisfy(
            made ->
                assertThat(made.apply(tenrec).attempt(SKU))
                    .isAnsweredByWork()
                    .isAnsweredWith(QUOTE));
  }

  @Test
  void hedges_ofTheirPage_haveTheFiguresItSays() {
    assertThat(examples.followingHedge().percentile()).isEqualTo(95);
    assertThat(examples.followingHedge().delay()).isEqualTo(Duration.ofMillis(10));
    assertThat(examples.followingHedge().atMost()).isEqualTo(2);
    assertThat(examples.generousHedge().budgetPercent()).isEqualTo(10);
    assertThat(examples.generousHedge().budgetPerSecond()).isEqualTo(3);
  }

  @Test
  void retry_attemptsAgain_andTheWorkKnowsIt() throws Exception {
    try (Tenrec tenrec = patient()) {
      // a caller that waits may take a thread that is held up for lost: then nothing is retried
      Outcome<Quote> placed =
          examples
              .retryWithKey(tenrec)
              .attemptAsync(new Order(SKU))
              .get(PatientWaits.seconds(), TimeUnit.SECONDS);
      assertThat(placed).isAnsweredWith(new Quote(SKU, 2)).has(EventType.RETRY);
      assertThat(examples.frugalRetry().budgetPercent()).isEqualTo(5);
      assertThat(examples.sharedRetry().sharedBudget()).isEqualTo("Warehouse");
      assertThat(examples.impatientRetry().attemptTimeout()).isEqualTo(Duration.ofMillis(300));
      assertThat(examples.politeRetry().hintOf(new HowToExamples.TooBusy()))
          .isEqualTo(Duration.ofSeconds(2));
    }
  }

  @Test
  void deadline_ofARequest_reachesTheCommand(Tenrec tenrec) {
    Command<Sku, Quote> quotes = examples.deadline(tenrec);
    assertThat(examples.withinTheirDeadline(tenrec, quotes, SKU, "250")).isEqualTo(QUOTE);
    assertThat(examples.withinTheirDeadline(tenrec, quotes, SKU, "0"))
        .as("not begun: the fallback answers")
        .isEqualTo(Quote.unknown(SKU));
    assertThat(quotes).hasCounted(EventType.DEADLINE_EXCEEDED, 1);
    assertThat(examples.outgoing(tenrec, URI.create("http://localhost/")).headers().map())
        .doesNotContainKey("X-Millis-Left");
    try (Scope scope = Deadline.after(tenrec, Duration.ofMinutes(1)).open()) {
      assertThat(examples.outgoing(tenrec, URI.create("http://localhost/")).headers().map())
          .containsKey("X-Millis-Left");
    }
    examples.carried(tenrec, Runnable::run, () -> {});
  }

  @Test
  void virtualThreads_fromJava21_answer(Tenrec tenrec) {
    if (Runtime.version().feature() >= 21) {
      assertThat(examples.virtualThreads(tenrec).attempt(SKU)).isAnsweredWith(QUOTE);
    } else {
      assertThatThrownBy(() -> examples.virtualThreads(tenrec))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void sharedPool_isTheOneItNames(Tenrec tenrec) {
    tenrec
        .command("Shared", (Sku sku) -> QUOTE)
        .isolation(examples.sharedPool())
        .build()
        .execute(SKU);
    assertThat(tenrec.pools())
        .singleElement()
        .satisfies(pool -> assertThat(pool.key()).isEqualTo("Pricing"))
        .satisfies(pool -> assertThat(pool.coreSize()).isEqualTo(20));
  }

  @Test
  void sharedSemaphore_isTheOneItNames(Tenrec tenrec) {
    Command<Sku, Quote> shared =
        tenrec.command("Shared", (Sku sku) -> QUOTE).isolation(examples.sharedSemaphore()).build();
    assertThat(shared.attempt(SKU)).isAnsweredWith(QUOTE);
    tenrec.set("tenrec.semaphore.Warehouse.maxConcurrentRequests", "0");
    assertThat(shared.attempt(SKU)).has(EventType.SEMAPHORE_REJECTED);
  }

  @Test
  void rateLimit_refuses_andSaysUntilWhen(Tenrec tenrec) {
    Command<Sku, Quote> metered = examples.rateLimit(tenrec);
    assertThat(metered.attempt(SKU)).isAnsweredWith(QUOTE);
    assertThat(examples.untilNextPermit(metered, SKU)).isNull();
    tenrec.set("tenrec.command.MeteredQuote.rateLimiter.permits", "1");
    tenrec.set("tenrec.command.MeteredQuote.rateLimiter.burst", "1");
    tenrec.set("tenrec.command.MeteredQuote.rateLimiter.periodInMilliseconds", "1h");
    assertThat(metered.attempt(SKU)).wasRejected().isAnsweredByFallback();
    assertThat(examples.untilNextPermit(metered, SKU))
        .isBetween(Duration.ofNanos(1), Duration.ofHours(1));
    assertThat(metered).hasCounted(EventType.RATE_LIMITED, 2);
  }

  @Test
  void sharedRateLimit_isTheOneItNames(Tenrec tenrec) {
    Command<Sku, Quote> shared =
        tenrec.command("Shared", (Sku sku) -> QUOTE).rateLimit(examples.sharedRateLimit()).build();
    assertThat(shared.attempt(SKU)).isAnsweredWith(QUOTE);
    assertThat(tenrec.rateLimiters())
        .singleElement()
        .satisfies(bank -> assertThat(bank.name()).isEqualTo("Bank"))
        .satisfies(bank -> assertThat(bank.available()).isEqualTo(9));
  }

  @Test
  void views_sayWhatThePagesRead(Tenrec tenrec) {
    assertThat(examples.circuit(examples.breaker(tenrec)).get(1)).isEqualTo(List.of());
    assertThat(examples.whereFrom(examples.fallback(tenrec)).get(0)).isEqualTo(false);
    assertThat(examples.fallbackValue(tenrec).execute(SKU)).containsExactly(QUOTE);
  }

  @Test
  void cache_isAskedOnce(Tenrec tenrec) {
    examples.cache(tenrec);
    assertThat(examples.pricing.asked()).isEqualTo(1);
  }

  @Test
  void collapse_answersBothAsMembers() {
    try (Tenrec tenrec = patient()) {
      examples.collapse(tenrec);
      assertThat(tenrec.collapsers())
          .singleElement()
          .satisfies(view -> assertThat(view.cumulativeMembers()).isEqualTo(2));
    }
  }
}
