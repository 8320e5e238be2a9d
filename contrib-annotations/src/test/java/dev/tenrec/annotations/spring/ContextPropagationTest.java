// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.annotations.CacheResult;
import dev.tenrec.annotations.Command;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.time.ManualTime;
import io.micrometer.context.ContextRegistry;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.i18n.LocaleContextHolder;
import reactor.core.publisher.Mono;

/** What is bound to the caller's thread follows into work and fallback. */
class ContextPropagationTest {

  /** As Spring Security holds its context. */
  private static final ThreadLocal<String> USER = new ThreadLocal<>();

  private static final ManualTime TIME = new ManualTime();

  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext(InManualTime.class, Observing.class);

  @Configuration(proxyBeanMethods = false)
  @EnableCommands
  static class InManualTime {

    @Bean
    Tenrec tenrec() {
      return Tenrec.builder().time(TIME, TIME).build();
    }
  }

  @BeforeEach
  void register() {
    ContextRegistry.getInstance().registerThreadLocalAccessor("test.user", USER);
    ContextRegistry.getInstance()
        .registerThreadLocalAccessor(
            "test.locale",
            LocaleContextHolder::getLocaleContext,
            LocaleContextHolder::setLocaleContext,
            LocaleContextHolder::resetLocaleContext);
  }

  @AfterEach
  void close() {
    context.close();
    ContextRegistry.getInstance().removeThreadLocalAccessor("test.user");
    ContextRegistry.getInstance().removeThreadLocalAccessor("test.locale");
    USER.remove();
    LocaleContextHolder.resetLocaleContext();
    MDC.clear();
  }

  static class Observing {

    private final AtomicInteger calls = new AtomicInteger();

    @Command
    public String work() {
      return seen();
    }

    @Command(fallbackMethod = "instead")
    public String failing() {
      throw new IllegalStateException();
    }

    @Command(fallbackMethod = "instead", timeout = "20ms")
    public java.util.concurrent.Future<String> late() throws InterruptedException {
      TIME.advanceMillis(30);
      new CountDownLatch(1).await();
      return java.util.concurrent.CompletableFuture.completedFuture("");
    }

    private String instead() {
      return "instead " + seen();
    }

    @Command
    @CacheResult
    public Mono<Integer> counted(String name) {
      return Mono.fromSupplier(calls::incrementAndGet);
    }

    private static String seen() {
      return USER.get() + " " + LocaleContextHolder.getLocale() + " " + MDC.get("trace");
    }
  }

  private Observing observing() {
    return context.getBean(Observing.class);
  }

  @Test
  void securityLocaleAndTrace_areThere_inWorkAndInFallbacks() throws Exception {
    Observing bean = observing();
    USER.set("ann");
    LocaleContextHolder.setLocale(Locale.forLanguageTag("de-AT"));
    MDC.put("trace", "t1");

    assertThat(bean.work()).isEqualTo("ann de_AT t1");
    assertThat(bean.failing()).isEqualTo("instead ann de_AT t1");
    assertThat(bean.late().get()).as("on the callback executor").isEqualTo("instead ann de_AT t1");
  }

  @Test
  void nextCall_seesItsOwnCallersOnly() {
    Observing bean = observing();
    USER.set("ann");
    assertThat(bean.work()).startsWith("ann");
    USER.remove();

    assertThat(bean.work()).startsWith("null");
  }

  @Test
  void requestInReactorsContext_isThatOfTheCall() {
    try (RequestContext request = context.getBean(Tenrec.class).openRequest()) {
      request.leave();
      Mono<Integer> counted =
          observing()
              .counted("a")
              .contextWrite(written -> written.put(RequestContext.class, request));

      assertThat(counted.block()).isEqualTo(1);
      assertThat(counted.block()).as("shared within the request").isEqualTo(1);
    }
  }
}
