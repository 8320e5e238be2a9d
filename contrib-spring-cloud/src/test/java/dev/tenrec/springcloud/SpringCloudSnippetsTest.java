// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.outcome.CircuitOpenException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.client.circuitbreaker.CircuitBreaker;
import org.springframework.cloud.client.circuitbreaker.CircuitBreakerFactory;
import org.springframework.cloud.client.circuitbreaker.Customizer;
import org.springframework.cloud.client.circuitbreaker.ReactiveCircuitBreakerFactory;
import org.springframework.cloud.openfeign.EnableFeignClients;
import org.springframework.cloud.openfeign.FallbackFactory;
import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import reactor.core.publisher.Mono;

/** The Java of docs/how-to/spring-cloud.md, in an application. */
class SpringCloudSnippetsTest {

  private static final String PAGE = "docs/how-to/spring-cloud.md";

  interface Pricing {
    String quote(String sku);
  }

  @Service
  static class Quotes {
    private final CircuitBreaker pricing;
    private final Pricing remote;

    Quotes(CircuitBreakerFactory<?, ?> circuitBreakers, Pricing remote) {
      this.pricing = circuitBreakers.create("pricing");
      this.remote = remote;
    }

    String quote(String sku) {
      return pricing.run(() -> remote.quote(sku), cause -> "unknown");
    }
  }

  /** A client that answers later. */
  static class ReactiveQuotes {
    interface Client {
      Mono<String> quote(String sku);
    }

    private final Client client =
        sku -> sku.isBlank() ? Mono.error(new IllegalStateException()) : Mono.just(sku + " at 5");

    Mono<String> quote(ReactiveCircuitBreakerFactory<?, ?> circuitBreakers, String sku) {
      return circuitBreakers
          .create("pricing-reactive")
          .run(client.quote(sku), cause -> Mono.just("unknown"));
    }
  }

  @FeignClient(name = "stock", url = "${stock.url}", fallbackFactory = UnknownStock.class)
  interface Stock {
    @GetMapping("/left/{sku}")
    String left(@PathVariable("sku") String sku);
  }

  static class UnknownStock implements FallbackFactory<Stock> {
    @Override
    public Stock create(Throwable cause) {
      return sku -> cause instanceof CircuitOpenException ? "ask later" : "unknown";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @EnableFeignClients(clients = Stock.class)
  @Import(Quotes.class)
  static class Shop {
    @Bean
    Customizer<TenrecCircuitBreakerFactory> circuits() {
      return factory -> {
        factory.configureDefault(
            id ->
                new CircuitConfigBuilder(id)
                    .options(to -> to.timeout(Duration.ofSeconds(2)))
                    .build());
        factory.configure(
            circuit ->
                circuit.options(
                    to -> to.errorThreshold(40, 50).ignore(IllegalArgumentException.class)),
            "pricing");
      };
    }

    @Bean
    Pricing pricing() {
      return sku -> {
        if (sku.isBlank()) {
          throw new IllegalArgumentException("no sku");
        }
        if (sku.equals("down")) {
          throw new IllegalStateException("down");
        }
        return sku + " at 5";
      };
    }

    @Bean
    UnknownStock unknownStock() {
      return new UnknownStock();
    }
  }

  @Test
  void page_asItStands_runs() throws Exception {
    try (RemoteShop remote = new RemoteShop();
        ConfigurableApplicationContext context =
            new SpringApplicationBuilder(Shop.class)
                .web(WebApplicationType.NONE)
                .properties(
                    "stock.url=" + remote.url(),
                    "spring.cloud.openfeign.circuitbreaker.enabled=true",
                    "spring.main.banner-mode=off",
                    "tenrec.command.default.execution.isolation.thread"
                        + ".timeout-in-milliseconds=60s")
                .run()) {
      Tenrec tenrec = context.getBean(Tenrec.class);
      Quotes quotes = context.getBean(Quotes.class);
      assertThat(tenrec.setting(CommandProperties.TIMEOUT, "pricing"))
          .isEqualTo(Duration.ofSeconds(2));
      assertThat(tenrec.setting(CommandProperties.ERROR_THRESHOLD_PERCENTAGE, "pricing"))
          .isEqualTo(40);
      // longer than the page's two seconds, whatever else the machine does
      for (String key : List.of("pricing", "StockleftString")) {
        tenrec.set(
            "tenrec.command." + key + ".execution.isolation.thread.timeoutInMilliseconds", "60000");
      }
      assertThat(quotes.quote("1-3")).isEqualTo("1-3 at 5");
      assertThat(quotes.quote("down")).isEqualTo("unknown");
      assertThatThrownBy(() -> quotes.quote(" ")).isInstanceOf(IllegalArgumentException.class);

      ReactiveCircuitBreakerFactory<?, ?> reactive =
          context.getBean(ReactiveCircuitBreakerFactory.class);
      assertThat(new ReactiveQuotes().quote(reactive, "1-3").block()).isEqualTo("1-3 at 5");
      assertThat(new ReactiveQuotes().quote(reactive, " ").block()).isEqualTo("unknown");

      Stock stock = context.getBean(Stock.class);
      assertThat(stock.left("1-3")).isEqualTo("answer of /left/1-3");
      remote.answer("/left/1-3", 500);
      assertThat(stock.left("1-3")).isEqualTo("unknown");
      tenrec.set("tenrec.command.StockleftString.circuitBreaker.forceOpen", "true");
      assertThat(stock.left("1-3")).isEqualTo("ask later");
    }
  }

  @Test
  void blocks_ofThePage_areCompiledHere() throws Exception {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.exists(root.resolve(PAGE))) { // the tests run in two modules
      root = root.getParent();
    }
    String compiled =
        bare(
            Files.readString(
                root.resolve(
                    "contrib-spring-cloud/src/test/java/dev/tenrec/springcloud"
                        + "/SpringCloudSnippetsTest.java")));
    Matcher fenced =
        Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(root.resolve(PAGE)));
    List<String> blocks = new ArrayList<>();
    while (fenced.find()) {
      blocks.add(fenced.group(1));
    }

    assertThat(blocks).hasSize(5).allSatisfy(block -> assertThat(compiled).contains(bare(block)));
  }

  private static String bare(String code) {
    return code.replaceAll("\\s+", "");
  }
}
