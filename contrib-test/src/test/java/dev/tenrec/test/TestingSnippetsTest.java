// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import static dev.tenrec.metrics.event.EventType.FAILURE;
import static dev.tenrec.metrics.event.EventType.FALLBACK_SUCCESS;
import static dev.tenrec.metrics.view.CircuitState.CLOSED;
import static dev.tenrec.metrics.view.CircuitState.HALF_OPEN;
import static dev.tenrec.metrics.view.CircuitState.OPEN;
import static dev.tenrec.test.TenrecAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.annotations.boot.TenrecAutoConfiguration;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.test.spring.TenrecTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** The snippets of docs/how-to/testing.md, compiled as they stand, and run. */
class TestingSnippetsTest {

  static final Sku SKU = new Sku("1-3");
  static final ThreadLocal<String> TENANT = new ThreadLocal<>();

  record Sku(String id) {}

  record Quote(Sku sku, int cents) {
    static Quote unknown(Sku sku) {
      return new Quote(sku, -1);
    }
  }

  /** What the application has. */
  static final class Quotes {
    private final Command<Sku, Quote> bySku;

    Quotes(Tenrec tenrec) {
      bySku =
          tenrec
              .command("GetQuote", (Sku sku) -> new Quote(sku, 100))
              .fallback((sku, cause) -> Quote.unknown(sku))
              .build();
    }

    Command<Sku, Quote> bySku() {
      return bySku;
    }
  }

  static class PriceList {
    @dev.tenrec.annotations.Command(fallbackMethod = "listed")
    public String price(String sku) {
      return "today's price";
    }

    String listed(String sku) {
      return "list price";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration(TenrecAutoConfiguration.class)
  static class Shop {
    @Bean
    PriceList prices() {
      return new PriceList();
    }
  }

  @Nested
  class Junit {

    @Nested
    @ExtendWith(TenrecExtension.class)
    class QuotesTest {

      @Test
      void quote_ofAServiceThatIsDown_isUnknown(Tenrec tenrec, Faults faults) {
        Quotes quotes = new Quotes(tenrec);
        faults.on("GetQuote").fail(new IOException("down"));

        Outcome<Quote> outcome = quotes.bySku().attempt(SKU);

        assertThat(outcome).hasFailed().isAnsweredByFallback().hasCause(IOException.class);
      }
    }

    @Nested
    class OwnBuilder {

      @RegisterExtension
      final TenrecExtension own = new TenrecExtension(builder -> builder.requestLogLimit(10));

      @Test
      void tenrec_isOfThatBuilder(Tenrec tenrec) {
        try (var request = tenrec.openRequest()) {
          assertThat(new Quotes(tenrec).bySku().attempt(SKU)).isAnsweredByWork();
          assertThat(request.log().entries()).hasSize(1);
        }
      }
    }
  }

  @Nested
  class OwnBuilderInRealTime {

    @RegisterExtension
    final TenrecExtension own = TenrecExtension.inRealTime(builder -> builder.requestLogLimit(10));

    @Test
    void tenrec_isOfThatBuilder(Tenrec tenrec) {
      try (var request = tenrec.openRequest()) {
        assertThat(new Quotes(tenrec).bySku().attempt(SKU)).isAnsweredByWork();
        assertThat(request.log().entries()).hasSize(1);
      }
    }
  }

  @Test
  void withoutJunit() {
    try (TestTenrec test = TestTenrec.create()) {
      Quotes quotes = new Quotes(test.tenrec());
      test.faults().on("GetQuote").timeOut();
      assertThat(quotes.bySku().attempt(SKU)).hasTimedOut();
    }
  }

  @Test
  @ExtendWith(TenrecExtension.class)
  void watched(TestTenrec test) {
    test.watch("tenant", TENANT::get);
    TENANT.set("acme");
    try {
      assertThat(new Quotes(test.tenrec()).bySku().attempt(SKU)).isAnsweredByWork();
    } finally {
      TENANT.remove();
    }
  }

  @Test
  @ExtendWith(TenrecExtension.class)
  void someCalls(Tenrec tenrec, Faults faults) {
    faults.on("GetQuote").nth(2).timeOut();
    faults.on("GetQuote").percent(30).fail(new IOException("reset"));

    Command<Sku, Quote> bySku = new Quotes(tenrec).bySku();
    assertThat(bySku.attempt(SKU)).isAnsweredByWork();
    assertThat(bySku.attempt(SKU)).hasTimedOut();
    assertThat(bySku.attempt(SKU)).isAnsweredByWork();
    assertThat(bySku.attempt(SKU)).isAnsweredByWork();
    assertThat(bySku.attempt(SKU)).as("the fourth that its fault meets").hasFailed();
  }

  @Test
  @ExtendWith(TenrecExtension.class)
  void circuit(Tenrec tenrec, Faults faults, VirtualTime time) {
    Command<Sku, Quote> bySku = new Quotes(tenrec).bySku();
    faults.on("GetQuote").first(20).fail(new IOException("down"));
    for (int call = 0; call < 20; call++) {
      bySku.attempt(SKU);
    }
    time.advance(Duration.ofSeconds(1)); // health is looked at, on the timer's thread
    assertThat(bySku).hasCircuit(OPEN); // waits for that
    assertThat(bySku.attempt(SKU)).wasShortCircuited();
    time.advance(Duration.ofSeconds(5)); // the sleep window
    assertThat(bySku.attempt(SKU)).isAnsweredByWork();
    assertThat(bySku).hasTransitions(OPEN, HALF_OPEN, CLOSED);
  }

  @Test
  void stillTime() {
    VirtualTime time = new VirtualTime();
    try (Tenrec still = Tenrec.builder().time(time, time).build()) {
      Command<Sku, Quote> late =
          still
              .command(
                  "LateQuote",
                  (Sku sku) -> {
                    time.advance(Duration.ofSeconds(2));
                    return new Quote(sku, 100);
                  })
              .isolation(Isolation.semaphore(1))
              .timeout(Duration.ofSeconds(1))
              .build();
      assertThat(late.attempt(SKU)).hasTimedOut();
      time.release(); // before it is closed
    }
  }

  @Test
  @ExtendWith(TenrecExtension.class)
  void assertions(Tenrec tenrec, Faults faults) {
    Command<Sku, Quote> bySku = new Quotes(tenrec).bySku();
    faults.on("GetQuote").fail(new IOException("down"));
    Outcome<Quote> outcome = bySku.attempt(SKU);
    assertThat(outcome).hasEvents(FAILURE, FALLBACK_SUCCESS).isAnsweredWith(Quote.unknown(SKU));
    assertThat(bySku).hasCircuit(CLOSED).hasCounted(FAILURE, 1).holdsNoPermit();
  }

  @Nested
  @TenrecTest
  @SpringJUnitConfig(Shop.class)
  class ShopTest {
    @Autowired PriceList prices;
    @Autowired Faults faults;
    @Autowired Tenrec tenrec;

    @Test
    void price_withoutTime_isTheListPrice() {
      faults.on("PriceList.price").timeOut();

      assertThat(prices.price("1-3")).isEqualTo("list price");
    }
  }

  @Test
  void everySnippet_isCompiledAsItStands() throws Exception {
    String compiled =
        bare(Files.readString(Path.of("src/test/java/dev/tenrec/test/TestingSnippetsTest.java")));
    List<String> blocks =
        Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Path.of("..", "docs", "how-to", "testing.md")))
            .results()
            .map((MatchResult found) -> found.group(1))
            .toList();
    assertThat(blocks).hasSize(10).allSatisfy(block -> assertThat(compiled).contains(bare(block)));
  }

  private static String bare(String code) {
    return code.replaceAll("\\s+", "");
  }
}
