// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.advice.Advice;
import dev.tenrec.core.advice.Adviser;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.sizing.Sizing;
import java.math.BigDecimal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The snippets of docs/how-to/tuning.md, each in the test of its section's name. */
class SizingSnippetsTest {

  record Sku(String id) {}

  record Quote(String text) {}

  static final class Pricing {
    Quote quote(Sku sku) {
      return new Quote("quote of " + sku.id());
    }
  }

  private final Pricing pricing = new Pricing();

  @Test
  void fromMeasurementToSettings() {
    Sizing sizing =
        Sizing.of(
            new BigDecimal("854.2"), // requests per second at the peak
            Duration.ofMillis(231), // p99 in good health
            Duration.ofMillis(700), // p99.5 in good health
            new BigDecimal("0.10")); // one call in ten may fail

    assertThat(sizing.coreSize()).isEqualTo(198);
    assertThat(sizing.withCoreSize(200).maximumSize()).isEqualTo(250);
  }

  @Test
  void permitsCircuitAndRetries() {
    Sizing sizing =
        Sizing.of(
            new BigDecimal("854.2"),
            Duration.ofMillis(231),
            Duration.ofMillis(700),
            new BigDecimal("0.10"));
    int permits = // of a semaphore, or of virtual threads
        Sizing.permits(
            new BigDecimal("1000"), // requests per second at the peak
            Duration.ofMillis(200), // the mean in good health
            new BigDecimal("0.001")); // one call in a thousand may find no permit
    int volume = // of how many calls the circuit judges
        sizing.volumeThreshold(
            new BigDecimal("0.005"), // errors in good health: a time-out at p99.5 alone
            new BigDecimal("0.001")); // of how many windows one may open it by chance
    Duration sleep =
        sizing.sleepWindow(
            Duration.ofMinutes(1), // how long an outage lasts
            new BigDecimal("0.05")); // how late its end may be noticed, as a share of that
    int budget = // of retries, in per cent
        Sizing.retryBudgetPercent(
            new BigDecimal("1000"), // calls per second at the peak
            new BigDecimal("1200"), // what the dependency can do
            3); // the budget's fixed number, of all instances

    assertThat(permits).isEqualTo(238);
    assertThat(volume).isEqualTo(34);
    assertThat(sleep).isEqualTo(Duration.ofMillis(5_300));
    assertThat(budget).isEqualTo(19);
  }

  @Test
  void inACommand() {
    Sizing sizing =
        Sizing.of(
                new BigDecimal("854.2"),
                Duration.ofMillis(231),
                Duration.ofMillis(700),
                new BigDecimal("0.10"))
            .withCoreSize(200);
    int volume = sizing.volumeThreshold(new BigDecimal("0.005"), new BigDecimal("0.001"));
    Duration sleep = sizing.sleepWindow(Duration.ofMinutes(1), new BigDecimal("0.05"));
    try (Tenrec tenrec = Unhurried.tenrec()) {
      Command<Sku, Quote> getQuote =
          tenrec
              .command("GetQuote", (Sku sku) -> pricing.quote(sku))
              .isolation(
                  Isolation.threadPool()
                      .coreSize(sizing.coreSize())
                      .maximumSize(sizing.maximumSize())
                      .queueSize(sizing.queueSize()))
              .timeout(sizing.timeout())
              .errorThreshold(sizing.errorThresholdPercentage(), volume)
              .sleepWindow(sleep)
              .fallbackLimit(sizing.fallbackPermits())
              .build();

      assertThat(getQuote.execute(new Sku("a"))).isEqualTo(new Quote("quote of a"));
    }
  }

  @Test
  void askForAdvice() {
    try (Tenrec tenrec = Tenrec.create()) {
      Command<Sku, Quote> getQuote =
          tenrec.command("GetQuote", (Sku sku) -> pricing.quote(sku)).build();
      Adviser adviser = Adviser.watch(getQuote.view(), tenrec::pools);

      Advice advice = adviser.advise();

      assertThat(advice.toString()).startsWith("GetQuote: nothing to change can be proposed");
      tenrec.set(advice.properties("tenrec")); // or a fleet's dry run, or a file
    }
  }
}
