// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.advice.Advice;
import dev.tenrec.core.advice.Adviser;
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
  void inACommand() {
    Sizing sizing =
        Sizing.of(
                new BigDecimal("854.2"),
                Duration.ofMillis(231),
                Duration.ofMillis(700),
                new BigDecimal("0.10"))
            .withCoreSize(200);
    try (Tenrec tenrec = Tenrec.create()) {
      Command<Sku, Quote> getQuote =
          tenrec
              .command("GetQuote", (Sku sku) -> pricing.quote(sku))
              .isolation(
                  Isolation.threadPool()
                      .coreSize(sizing.coreSize())
                      .maximumSize(sizing.maximumSize())
                      .queueSize(sizing.queueSize()))
              .timeout(sizing.timeout())
              .errorThreshold(sizing.errorThresholdPercentage(), 20)
              .sleepWindow(Duration.ofSeconds(5))
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
