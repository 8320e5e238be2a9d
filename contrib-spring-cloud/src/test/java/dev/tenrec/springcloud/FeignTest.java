// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.PoolProperties;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandView;
import dev.tenrec.metrics.view.PoolView;
import feign.FeignException;
import feign.RequestInterceptor;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.client.circuitbreaker.NoFallbackAvailableException;
import org.springframework.cloud.openfeign.EnableFeignClients;
import org.springframework.cloud.openfeign.FallbackFactory;
import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.context.request.AbstractRequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/** OpenFeign's clients, each method a command, against a server on a loopback port. */
class FeignTest {

  @FeignClient(name = "pricing", url = "${remote.url}", fallback = ListPrices.class)
  interface Pricing {
    @GetMapping("/price/{sku}")
    String price(@PathVariable("sku") String sku);

    @GetMapping("/discount")
    String discount();
  }

  static class ListPrices implements Pricing {
    @Override
    public String price(String sku) {
      return "list price of " + sku;
    }

    @Override
    public String discount() {
      return "no discount";
    }
  }

  @FeignClient(name = "stock", url = "${remote.url}", fallbackFactory = Unknown.class)
  interface Stock {
    @GetMapping("/left/{sku}")
    String left(@PathVariable("sku") String sku);
  }

  static class Unknown implements FallbackFactory<Stock> {

    static final Queue<Throwable> CAUSES = new ConcurrentLinkedQueue<>();

    @Override
    public Stock create(Throwable cause) {
      CAUSES.add(cause);
      return sku -> {
        if (sku.equals("refused")) {
          throw new IllegalArgumentException("by the fallback", cause);
        }
        return "unknown";
      };
    }
  }

  @FeignClient(name = "reviews", url = "${remote.url}")
  interface Reviews {
    @GetMapping("/stars")
    String stars();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @EnableFeignClients(clients = {Pricing.class, Stock.class, Reviews.class})
  static class Application {

    static final Queue<String> THREADS = new ConcurrentLinkedQueue<>();
    static final Queue<Boolean> REQUESTS = new ConcurrentLinkedQueue<>();

    @Bean
    ListPrices listPrices() {
      return new ListPrices();
    }

    @Bean
    Unknown unknown() {
      return new Unknown();
    }

    @Bean
    RequestInterceptor threads() {
      return request -> {
        THREADS.add(Thread.currentThread().getName());
        REQUESTS.add(RequestContextHolder.getRequestAttributes() != null);
      };
    }
  }

  private static RemoteShop remote;

  /** With the properties that most tests need; made by the first of them. */
  private static ConfigurableApplicationContext common;

  private ConfigurableApplicationContext context;

  @BeforeAll
  static void open() throws Exception {
    remote = new RemoteShop();
  }

  @AfterAll
  static void closeAll() {
    remote.close(); // first: what waits for it is not interrupted by closing
    if (common != null) {
      common.close();
    }
  }

  @BeforeEach
  void forget() {
    remote.forget();
    Unknown.CAUSES.clear();
    Application.THREADS.clear();
    Application.REQUESTS.clear();
  }

  @AfterEach
  void close() {
    remote.forget();
    if (context == null) {
      return; // it did not start
    }
    if (context != common) {
      context.close();
      return;
    }
    Tenrec tenrec = context.getBean(Tenrec.class);
    for (CommandView command : tenrec.commands()) {
      assertThat(tenrec.remove(command.key())).isTrue();
    }
  }

  private void start(String... properties) {
    if (properties.length == 0 && common != null) {
      context = common;
      return;
    }
    start(starting -> {}, properties);
    if (properties.length == 0) {
      common = context;
    }
  }

  private void start(
      ApplicationContextInitializer<ConfigurableApplicationContext> initializer,
      String... properties) {
    SpringApplicationBuilder application =
        new SpringApplicationBuilder(Application.class)
            .web(WebApplicationType.NONE)
            .initializers(initializer)
            .properties(
                "remote.url=" + remote.url(),
                "spring.cloud.openfeign.circuitbreaker.enabled=true",
                "spring.main.banner-mode=off",
                "tenrec.command.default.execution.isolation.thread.timeout-in-milliseconds=60s")
            .properties(properties);
    context = application.run();
  }

  private CommandView view(String key) {
    return context.getBean(Tenrec.class).commands().stream()
        .filter(command -> command.key().equals(key))
        .findFirst()
        .orElseThrow();
  }

  /** Soon: a caller may have gone on without a thread that is held up before it counts. */
  private void awaitCounted(String key, EventType event, long times) {
    await().untilAsserted(() -> assertThat(view(key).cumulativeCount(event)).isEqualTo(times));
  }

  @Test
  void call_thatAnswers_isAnExecutionOfItsMethodsCommand() {
    start();

    assertThat(context.getBean(Pricing.class).price("1-3")).isEqualTo("answer of /price/1-3");
    assertThat(context.getBean(Pricing.class).discount()).isEqualTo("answer of /discount");

    awaitCounted("PricingpriceString", EventType.SUCCESS, 1);
    awaitCounted("Pricingdiscount", EventType.SUCCESS, 1);
    assertThat(Application.THREADS).hasSize(2).allMatch(name -> name.contains("Pricing"));
  }

  @Test
  void call_thatFails_isAnsweredByTheFallbackClass() {
    start();
    remote.answer("/price/1-3", 500);

    assertThat(context.getBean(Pricing.class).price("1-3")).isEqualTo("list price of 1-3");
    awaitCounted("PricingpriceString", EventType.FAILURE, 1);
    awaitCounted("PricingpriceString", EventType.FALLBACK_SUCCESS, 1);
  }

  @Test
  void fallbackFactory_ofAFailure_isGivenWhyAndMayThrow() {
    start();
    remote.answer("/left/1-3", 503);
    remote.answer("/left/refused", 503);
    Stock stock = context.getBean(Stock.class);

    assertThat(stock.left("1-3")).isEqualTo("unknown");
    assertThat(Unknown.CAUSES.poll())
        .isInstanceOfSatisfying(
            FeignException.class, failed -> assertThat(failed.status()).isEqualTo(503));
    assertThatThrownBy(() -> stock.left("refused"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("by the fallback");
  }

  @Test
  void setting_changedWhileItRuns_holdsFromTheNextCallOn() {
    start();
    Stock stock = context.getBean(Stock.class);
    assertThat(stock.left("1-3")).isEqualTo("answer of /left/1-3");

    context
        .getBean(Tenrec.class)
        .set("tenrec.command.StockleftString.circuitBreaker.forceOpen", "true");

    assertThat(stock.left("1-3")).isEqualTo("unknown");
    assertThat(Unknown.CAUSES.poll()).isInstanceOf(CircuitOpenException.class);
    context.getBean(Tenrec.class).clear("tenrec.command.StockleftString.circuitBreaker.forceOpen");
  }

  @Test
  void call_withoutFallback_failsWithTheReason() {
    start();
    remote.answer("/stars", 500);

    assertThatThrownBy(() -> context.getBean(Reviews.class).stars())
        .isInstanceOf(NoFallbackAvailableException.class)
        .hasCauseInstanceOf(FeignException.InternalServerError.class);
  }

  @Test
  void settingOfNoClass_ofAMethod_stopsTheStart() {
    assertThatThrownBy(
            () -> start("tenrec.command.PricingpriceString.ignore-exceptions=no.such.Thing"))
        .hasStackTraceContaining("tenrec.command.PricingpriceString.ignoreExceptions")
        .hasStackTraceContaining("no.such.Thing");
  }

  @Test
  void clients_withoutCircuitBreakers_haveNoCommands() {
    start("spring.cloud.openfeign.circuitbreaker.enabled=false");
    remote.answer("/price/1-3", 500);

    assertThatThrownBy(() -> context.getBean(Pricing.class).price("1-3"))
        .isInstanceOf(FeignException.class);
    assertThat(context.getBean(Tenrec.class).commands()).isEmpty();
  }

  @Test
  void requestAttributes_ofTheCaller_areThereOnTheThreadOfTheWork() {
    start();
    RequestContextHolder.setRequestAttributes(new Attributes());
    try {
      assertThat(context.getBean(Pricing.class).discount()).isEqualTo("answer of /discount");
    } finally {
      RequestContextHolder.resetRequestAttributes();
    }

    assertThat(Application.REQUESTS).containsExactly(true);
  }

  /** Of a request that is nowhere. */
  private static final class Attributes extends AbstractRequestAttributes {
    @Override
    protected void updateAccessedSessionAttributes() {}

    @Override
    public Object getAttribute(String name, int scope) {
      return null;
    }

    @Override
    public void setAttribute(String name, Object value, int scope) {}

    @Override
    public void removeAttribute(String name, int scope) {}

    @Override
    public String[] getAttributeNames(int scope) {
      return new String[0];
    }

    @Override
    public void registerDestructionCallback(String name, Runnable callback, int scope) {}

    @Override
    public Object resolveReference(String key) {
      return null;
    }

    @Override
    public String getSessionId() {
      return "none";
    }

    @Override
    public Object getSessionMutex() {
      return this;
    }
  }

  @Test
  void fallbackFactory_ofACallThatHangs_isGivenTheTimeOut() {
    start();
    String timeout =
        "tenrec.command.StockleftString.execution.isolation.thread.timeoutInMilliseconds";
    context.getBean(Tenrec.class).set(timeout, "100");
    remote.hold("/left/1-3");

    assertThat(context.getBean(Stock.class).left("1-3")).isEqualTo("unknown");
    assertThat(Unknown.CAUSES.poll()).isInstanceOf(CommandTimeoutException.class);
    context.getBean(Tenrec.class).clear(timeout);
    remote.forget();
    // or its thread may yet come to the interceptor, in the middle of another test
    await().until(() -> view("StockleftString").concurrency() == 0);
  }

  @Test
  void circuit_ofOneMethod_leavesOtherMethodsAlone() {
    start();
    String open = "tenrec.command.PricingpriceString.circuitBreaker.forceOpen";
    context.getBean(Tenrec.class).set(open, "true");
    Pricing pricing = context.getBean(Pricing.class);

    assertThat(pricing.price("1-3")).isEqualTo("list price of 1-3");
    assertThat(pricing.discount()).isEqualTo("answer of /discount");
    assertThat(remote.asked("/price/1-3")).isZero();
    context.getBean(Tenrec.class).clear(open);
  }

  @Test
  void settings_ofIdsInFullAndOfGroups_areThoseOfTheMethods() {
    MapPropertySource variables =
        new SystemEnvironmentPropertySource(
            "variables", Map.of("TENREC_COMMAND_PRICINGDISCOUNT_CIRCUITBREAKER_FORCEOPEN", "true"));
    start(
        starting -> starting.getEnvironment().getPropertySources().addLast(variables),
        "spring.cloud.openfeign.circuitbreaker.alphanumeric-ids.enabled=false",
        "spring.cloud.openfeign.circuitbreaker.group.enabled=true",
        "tenrec.threadpool.pricing.core-size=3",
        "tenrec.command[Pricing#price(String)].ignore-exceptions="
            + "feign.FeignException$FeignClientException");
    remote.answer("/price/1-3", 404);
    remote.answer("/price/1-4", 500);
    Pricing pricing = context.getBean(Pricing.class);
    Tenrec tenrec = context.getBean(Tenrec.class);

    assertThatThrownBy(() -> pricing.price("1-3")).isInstanceOf(FeignException.NotFound.class);
    assertThat(pricing.price("1-4")).isEqualTo("list price of 1-4");
    assertThat(pricing.discount()).as("open by the environment").isEqualTo("no discount");

    CommandView price = view("Pricing#price(String)");
    awaitCounted("Pricing#price(String)", EventType.BAD_REQUEST, 1);
    awaitCounted("Pricing#price(String)", EventType.FAILURE, 1);
    assertThat(price.group()).isEqualTo("pricing");
    assertThat(tenrec.pools())
        .extracting(PoolView::key)
        .containsExactlyInAnyOrder("pricing", "stock", "reviews");
    assertThat(tenrec.setting(PoolProperties.CORE_SIZE, "pricing")).isEqualTo(3);
  }

  @Test
  void context_fromStartToClose_hasTheCommandsOfAllMethodsAndLeavesNoThread() {
    start("this.context=alone");
    Tenrec tenrec = context.getBean(Tenrec.class);

    assertThat(tenrec.commands())
        .extracting(CommandView::key)
        .containsExactlyInAnyOrder(
            "PricingpriceString", "Pricingdiscount", "StockleftString", "Reviewsstars");
    assertThat(context.getBean(Pricing.class).discount()).isEqualTo("answer of /discount");

    context.close();

    await().until(() -> tenrec.liveThreads() == 0); // close() waits half a second for the last
  }
}
