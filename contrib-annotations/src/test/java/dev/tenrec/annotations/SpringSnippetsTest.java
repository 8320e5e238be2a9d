// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.annotations.boot.TenrecCustomizer;
import dev.tenrec.annotations.spring.EnableCommands;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.view.PoolView;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Service;

/** The snippets of docs/how-to/spring.md, compiled as they stand, and run. */
class SpringSnippetsTest {

  record Sku(String id, String site) {}

  record Quote(Sku sku, int cents) {
    static Quote unknown(Sku sku) {
      return new Quote(sku, 0);
    }
  }

  static class Pricing {
    int asked;

    Quote quote(Sku sku) throws InterruptedException {
      asked++;
      if (sku.id().equals("slow")) {
        new CountDownLatch(1).await(); // until the time-out interrupts it
      }
      if (sku.id().equals("bad")) {
        throw new IllegalArgumentException("no such sku");
      }
      return new Quote(sku, 100);
    }

    CompletableFuture<Quote> quoteLater(Sku sku) {
      return CompletableFuture.completedFuture(new Quote(sku, 200));
    }

    List<Quote> quotes(List<Sku> skus) {
      asked++;
      return skus.stream().map(sku -> new Quote(sku, 300)).toList();
    }
  }

  @Service
  static class Quotes {
    private final Pricing pricing;

    Quotes(Pricing pricing) {
      this.pricing = pricing;
    }

    @Command(fallbackMethod = "unknown", timeout = "300ms")
    public Quote bySku(Sku sku) throws Exception {
      return pricing.quote(sku);
    }

    Quote unknown(Sku sku) {
      return Quote.unknown(sku);
    }
  }

  @CommandDefaults(groupKey = "Pricing", ignoreExceptions = IllegalArgumentException.class)
  static class Tuned {
    private final Pricing pricing;

    Tuned(Pricing pricing) {
      this.pricing = pricing;
    }

    @Command(
        commandKey = "GetQuote",
        threadPoolKey = "Quotes",
        commandProperties = {
          @CommandProperty(name = "circuitBreaker.errorThresholdPercentage", value = "10"),
          @CommandProperty(
              name = "execution.isolation.thread.timeoutInMilliseconds",
              value = "${quotes.timeout:700}")
        },
        threadPoolProperties = {
          @CommandProperty(name = "coreSize", value = "20"),
          @CommandProperty(name = "maxQueueSize", value = "20")
        })
    public Quote bySku(Sku sku) throws Exception {
      return pricing.quote(sku);
    }
  }

  static class Recovering {
    private final Pricing pricing;

    Recovering(Pricing pricing) {
      this.pricing = pricing;
    }

    @Command(fallbackMethod = "recover")
    public Quote bySku(Sku sku) throws Exception {
      return pricing.quote(sku);
    }

    Quote recover(Sku sku, CommandTimeoutException cause) {
      return yesterday(sku);
    }

    Quote recover(Sku sku, CircuitOpenException cause) {
      return Quote.unknown(sku);
    }

    private Quote yesterday(Sku sku) {
      return new Quote(sku, 99);
    }
  }

  static class Later {
    private final Pricing pricing;

    Later(Pricing pricing) {
      this.pricing = pricing;
    }

    @Command(isolation = IsolationStrategy.SEMAPHORE, defaultFallback = "none")
    public CompletableFuture<Quote> bySku(Sku sku) {
      return pricing.quoteLater(sku);
    }

    CompletableFuture<Quote> none(Throwable cause) {
      return CompletableFuture.failedFuture(cause);
    }
  }

  static class Sites {
    private final Pricing pricing;

    Sites(Pricing pricing) {
      this.pricing = pricing;
    }

    @Command(commandKey = "Quote-#{#sku.site}", maxKeys = 20)
    public Quote bySku(Sku sku) throws Exception {
      return pricing.quote(sku);
    }
  }

  static class Remembering {
    private final Pricing pricing;

    Remembering(Pricing pricing) {
      this.pricing = pricing;
    }

    @Command
    @CacheResult
    public Quote bySku(@CacheKey("id") Sku sku) throws Exception {
      return pricing.quote(sku);
    }

    @CacheRemove(commandKey = "bySku")
    public void changed(@CacheKey("id") Sku sku) {}
  }

  static class Batching {
    private final Pricing pricing;

    Batching(Pricing pricing) {
      this.pricing = pricing;
    }

    @Collapsed(
        batchMethod = "bySkus",
        properties = @CommandProperty(name = "timerDelayInMilliseconds", value = "20"))
    public CompletableFuture<Quote> bySku(Sku sku) {
      throw new AssertionError("never runs: the batch method answers");
    }

    @Command(commandKey = "GetQuotes")
    List<Quote> bySkus(List<Sku> skus) {
      return pricing.quotes(skus);
    }
  }

  @Configuration
  @EnableCommands
  static class Plain {
    @Bean
    Tenrec tenrec() {
      return Tenrec.create();
    }
  }

  @Bean
  TenrecCustomizer limits() {
    return builder -> builder.maxCommands(500).requestLogLimit(100);
  }

  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();

  @AfterEach
  void close() {
    context.close();
  }

  private <T> T bean(Class<T> type) {
    context.register(Plain.class, Pricing.class, type);
    context.refresh();
    setTimeout("default", "600000"); // whatever else the machine does
    return context.getBean(type);
  }

  private Tenrec tenrec() {
    return context.getBean(Tenrec.class);
  }

  private static String timeout(String key) {
    return "tenrec.command." + key + ".execution.isolation.thread.timeoutInMilliseconds";
  }

  private void setTimeout(String key, String millis) {
    tenrec().set(timeout(key), millis);
  }

  private static final Sku SKU = new Sku("four", "north");
  private static final Sku SLOW = new Sku("slow", "north");
  private static final Sku BAD = new Sku("bad", "north");

  @Test
  void aFirstCommand() throws Exception {
    Quotes quotes = bean(Quotes.class);

    assertThat(quotes.bySku(SLOW).cents()).isZero();
    setTimeout("Quotes.bySku", "600000");
    assertThat(quotes.bySku(SKU).cents()).isEqualTo(100);
  }

  @Test
  void whatCanBeSaid() throws Exception {
    Tuned tuned = bean(Tuned.class);

    setTimeout("GetQuote", "600000");
    assertThat(tuned.bySku(SKU).cents()).isEqualTo(100);
    assertThatThrownBy(() -> tuned.bySku(BAD)).hasMessage("no such sku");
    assertThat(tenrec().pools())
        .singleElement()
        .satisfies(pool -> assertThat(pool.key()).isEqualTo("Quotes"))
        .extracting(PoolView::coreSize)
        .isEqualTo(20);
  }

  @Test
  void fallbacks() throws Exception {
    Recovering recovering = bean(Recovering.class);

    setTimeout("Recovering.bySku", "20");
    assertThat(recovering.bySku(SLOW).cents()).isEqualTo(99);
    tenrec().clear(timeout("Recovering.bySku"));
    assertThatThrownBy(() -> recovering.bySku(BAD)).hasMessage("no such sku");
    tenrec().set("tenrec.command.Recovering.bySku.circuitBreaker.forceOpen", "true");
    assertThat(recovering.bySku(SKU).cents()).isZero();
  }

  @Test
  void returnTypes() throws Exception {
    assertThat(bean(Later.class).bySku(SKU).get(PatientWaits.seconds(), TimeUnit.SECONDS).cents())
        .isEqualTo(200);
  }

  @Test
  void keysOfArguments() throws Exception {
    Sites sites = bean(Sites.class);

    sites.bySku(SKU);
    assertThat(tenrec().commands())
        .singleElement()
        .satisfies(view -> assertThat(view.key()).isEqualTo("Quote-north"));
  }

  @Test
  void requests() throws Exception {
    Remembering remembering = bean(Remembering.class);
    Pricing pricing = context.getBean(Pricing.class);

    try (RequestContext request = tenrec().openRequest()) {
      remembering.bySku(SKU);
      remembering.bySku(SKU);
      assertThat(pricing.asked).isEqualTo(1);
      remembering.changed(SKU);
      remembering.bySku(SKU);
      assertThat(pricing.asked).isEqualTo(2);
    }
  }

  @Test
  void batches() throws Exception {
    Batching batching = bean(Batching.class);

    tenrec().set("tenrec.collapser.GetQuotes.timerDelayInMilliseconds", "3600000");
    tenrec().set("tenrec.collapser.GetQuotes.maxRequestsInBatch", "2");
    try (RequestContext request = tenrec().openRequest()) {
      CompletableFuture<Quote> one = batching.bySku(SKU);
      CompletableFuture<Quote> other = batching.bySku(SLOW);
      assertThat(one.get(PatientWaits.seconds(), TimeUnit.SECONDS).cents()).isEqualTo(300);
      assertThat(other.get(PatientWaits.seconds(), TimeUnit.SECONDS).cents()).isEqualTo(300);
    }
    assertThat(context.getBean(Pricing.class).asked).isEqualTo(1);
  }

  @Test
  void customizing() {
    TenrecBuilder builder = Tenrec.builder();
    limits().customize(builder);
    try (Tenrec made = builder.build()) {
      assertThat(made.commands()).isEmpty();
    }
  }

  @Test
  void everySnippet_isCompiledAsItStands() throws Exception {
    Snippets.areIn("docs/how-to/spring.md", "SpringSnippetsTest", "TestingSnippetsTest");
  }
}
