// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.Contexts;
import dev.tenrec.metrics.time.ManualTime;
import io.micrometer.context.ContextRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What the libraries' own accessors carry is in work and fallback, and not left behind. */
class ContextAccessorsTest {

  private static final ObservationRegistry OBSERVATIONS = ObservationRegistry.create();
  private static final ThreadLocal<String> USER = new ThreadLocal<>();
  private static final ManualTime TIME = new ManualTime();

  static {
    OBSERVATIONS.observationConfig().observationHandler(context -> true);
  }

  static class Seeing {

    @Command
    public String work() {
      return seen();
    }

    @Command(fallbackMethod = "instead")
    public String failing() {
      throw new IllegalStateException();
    }

    @Command(fallbackMethod = "instead", timeout = "20ms")
    public Future<String> late() {
      TIME.advanceMillis(30);
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return CompletableFuture.completedFuture("");
    }

    @Command
    public CompletableFuture<String> staged() {
      return CompletableFuture.completedFuture(seen());
    }

    @Command
    public Mono<String> mono() {
      return Mono.fromSupplier(Seeing::traced)
          .delayElement(Duration.ofMillis(1), Schedulers.parallel())
          .map(first -> first.equals(traced()) ? first : first + " then " + traced());
    }

    @Command(fallbackMethod = "instead")
    public Mono<String> failingMono() {
      return Mono.error(new IllegalStateException());
    }

    String instead() {
      return "instead: " + seen();
    }

    /** Of the accessors that their libraries register. */
    private static String traced() {
      Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
      Observation observation = OBSERVATIONS.getCurrentObservation();
      return (authentication == null ? "nobody" : authentication.getName())
          + ", "
          + (observation == null ? "unobserved" : observation.getContext().getName())
          + ", "
          + USER.get();
    }

    private static String seen() {
      Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
      RequestAttributes request = RequestContextHolder.getRequestAttributes();
      Observation observation = OBSERVATIONS.getCurrentObservation();
      return String.join(
          ", ",
          authentication == null ? "nobody" : authentication.getName(),
          request == null
              ? "no request"
              : String.valueOf(request.getAttribute("page", RequestAttributes.SCOPE_REQUEST)),
          observation == null ? "unobserved" : observation.getContext().getName(),
          LocaleContextHolder.getLocale().toLanguageTag(),
          String.valueOf(USER.get()));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Beans {

    @Bean
    Seeing seeing() {
      return new Seeing();
    }
  }

  @EnableAutoConfiguration
  @Configuration(proxyBeanMethods = false)
  static class Application extends Beans {}

  private final WebApplicationContextRunner servlets =
      new WebApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  AopAutoConfiguration.class,
                  TenrecAutoConfiguration.class,
                  ServletRequestAutoConfiguration.class))
          .withUserConfiguration(Beans.class)
          .withBean(TenrecCustomizer.class, () -> builder -> builder.time(TIME, TIME))
          .withPropertyValues(Contexts.PATIENT);

  private static final String ALL = "ann, cart, checkout, de-AT, null";
  private static final String NONE_OF =
      "nobody, no request, unobserved, " + Locale.getDefault().toLanguageTag() + ", null";

  /** As within a request of a user's that is traced. */
  private static void within(Runnable action) {
    MockHttpServletRequest request = new MockHttpServletRequest();
    request.setAttribute("page", "cart");
    RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
    SecurityContextHolder.getContext()
        .setAuthentication(new TestingAuthenticationToken("ann", "secret"));
    LocaleContextHolder.setLocale(Locale.forLanguageTag("de-AT"));
    Observation observation = Observation.start("checkout", OBSERVATIONS);
    try (Observation.Scope scope = observation.openScope()) {
      action.run();
    } finally {
      observation.stop();
      clear();
    }
  }

  @AfterEach
  void clearAll() {
    clear();
    USER.remove();
    Hooks.disableAutomaticContextPropagation();
    ContextRegistry.getInstance().removeThreadLocalAccessor("test.user");
  }

  private static void clear() {
    RequestContextHolder.resetRequestAttributes();
    SecurityContextHolder.clearContext();
    LocaleContextHolder.resetLocaleContext();
  }

  private void run(Consumer<Seeing> test) {
    servlets.run(context -> test.accept(context.getBean(Seeing.class)));
  }

  private static String get(Future<String> future) {
    try {
      return future.get();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void contextOfTheCaller_isInWorkAndFallback() {
    run(
        seeing ->
            within(
                () -> {
                  assertThat(seeing.work()).isEqualTo(ALL);
                  assertThat(seeing.failing()).isEqualTo("instead: " + ALL);
                  assertThat(get(seeing.late())).as("late").isEqualTo("instead: " + ALL);
                  assertThat(get(seeing.staged())).isEqualTo(ALL);
                }));
  }

  @Test
  void contextOfTheCaller_isNotLeftBehind() {
    run(
        seeing -> {
          within(() -> assertThat(seeing.work()).isEqualTo(ALL));
          for (int call = 0; call < 20; call++) { // each thread of the pool
            assertThat(seeing.work()).isEqualTo(NONE_OF);
          }
          assertThat(seeing.failing()).isEqualTo("instead: " + NONE_OF);
        });
  }

  /** Servers recycle them, and refuse to be asked for attributes then; threads may keep them. */
  @Test
  void requestThatIsOver_isNotInWork_andFailsNoCall() {
    run(
        seeing -> {
          MockHttpServletRequest over = new MockHttpServletRequest();
          RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(over));
          over.close();

          assertThat(seeing.work()).isEqualTo(NONE_OF);
          assertThat(get(seeing.late())).isEqualTo("instead: " + NONE_OF);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "limited"})
  void reactorsContext_isInMonoAndFallback_asBootPropagatesIt(String how) {
    ContextRegistry.getInstance().registerThreadLocalAccessor("test.user", USER);
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(Application.class)
            .web(WebApplicationType.NONE)
            .run(
                "--" + Contexts.PATIENT,
                "--spring.main.banner-mode=off",
                "--spring.reactor.context-propagation=" + how)) {
      Seeing seeing = context.getBean(Seeing.class);
      boolean auto = how.equals("auto");
      assertThat(Hooks.isAutomaticContextPropagationEnabled()).isEqualTo(auto);

      Mono<String> mono = seeing.mono().contextWrite(written -> written.put("test.user", "bob"));
      String seen = mono.block();
      assertThat(seen)
          .as("on later threads only if it is automatic")
          .isEqualTo("nobody, unobserved, bob" + (auto ? "" : " then nobody, unobserved, null"));
      assertThat(
              seeing.failingMono().contextWrite(written -> written.put("test.user", "bob")).block())
          .endsWith(", bob");
      if (auto) {
        USER.set("cid");
        within(
            () -> {
              // block() writes the caller's thread-locals into Reactor's context
              assertThat(seeing.mono().block()).isEqualTo("ann, checkout, cid");
              assertThat(seeing.work()).endsWith("checkout, de-AT, cid");
            });
        USER.remove();
      }
      assertThat(seeing.mono().block()).isEqualTo("nobody, unobserved, null");
      assertThat(USER.get()).isNull();
    }
  }
}
