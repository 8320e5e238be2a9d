// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandDeclarationException;
import dev.tenrec.annotations.Contexts;
import dev.tenrec.annotations.web.ReactiveRequestContextFilter;
import dev.tenrec.annotations.web.RequestContextFilter;
import dev.tenrec.core.Deadline;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.metrics.view.PoolView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class AutoConfigurationTest {

  private static final AutoConfigurations OURS =
      AutoConfigurations.of(
          AopAutoConfiguration.class,
          TenrecAutoConfiguration.class,
          ServletRequestAutoConfiguration.class,
          ReactiveRequestAutoConfiguration.class);

  private static final String FORCE_OPEN = "tenrec.command.Quotes.left.circuitBreaker.forceOpen";

  @TempDir Path directory;

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(OURS)
          .withUserConfiguration(Shop.class)
          .withPropertyValues(Contexts.PATIENT);

  @Configuration(proxyBeanMethods = false)
  static class Shop {

    @Bean
    Quotes quotes() {
      return new Quotes();
    }
  }

  interface Stock {
    int left();
  }

  static class Quotes implements Stock {

    static final List<String> CLOSED = new CopyOnWriteArrayList<>();

    @Override
    @Command
    public int left() {
      return 7;
    }
  }

  @Test
  void bootLine_isTheOneThisBuildNames() {
    assertThat(SpringBootVersion.getVersion())
        .isEqualTo(System.getProperty("tenrec.test.boot", "3.5.16"));
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class LazyShop {

    @Bean
    Misspelt misspelt() {
      return new Misspelt();
    }
  }

  static class Misspelt {

    @Command(fallbackMethod = "unknwon")
    public int left() {
      return 7;
    }
  }

  @Test
  void lazyInitialization_doesNotPutTheCheckOff() {
    assertThatThrownBy(
            () ->
                new SpringApplicationBuilder(LazyShop.class)
                    .web(WebApplicationType.NONE)
                    .lazyInitialization(true)
                    .run()
                    .close())
        .isInstanceOf(CommandDeclarationException.class)
        .hasMessageContaining("unknwon");
  }

  @Test
  void beanWithAnnotations_isGuarded_byItsClass() {
    runner.run(
        context -> {
          assertThat(context.getBean(Quotes.class).left()).isEqualTo(7);
          assertThat(context.getBean(Tenrec.class).commands())
              .extracting(view -> view.key())
              .containsExactly("Quotes.left");
        });
  }

  @Test
  void environment_isTheWeakestSource_andMemoryTheStrongest() throws IOException {
    Path file = directory.resolve("tenrec.properties");
    Files.writeString(file, FORCE_OPEN + " = false\n");
    runner
        .withPropertyValues(
            FORCE_OPEN + "=true",
            "tenrec.threadpool.default.coreSize=${cores:4}",
            "tenrec.properties-file=" + file)
        .run(
            context -> {
              Quotes quotes = context.getBean(Quotes.class);
              Tenrec tenrec = context.getBean(Tenrec.class);
              assertThat(quotes.left()).as("the file over the environment").isEqualTo(7);
              assertThat(tenrec.pools()).extracting(PoolView::coreSize).containsExactly(4);
              tenrec.set(FORCE_OPEN, "true");
              assertThatThrownBy(quotes::left).isInstanceOf(CircuitOpenException.class);
            });
  }

  @Test
  void environmentAlone_isRead() {
    runner
        .withPropertyValues(FORCE_OPEN + "=true")
        .run(
            context ->
                assertThatThrownBy(() -> context.getBean(Quotes.class).left())
                    .isInstanceOf(CircuitOpenException.class));
  }

  @Test
  void customizer_hasTheLastWord() {
    runner
        .withBean(TenrecCustomizer.class, () -> builder -> builder.maxCommands(1))
        .withBean("more", More.class)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .isInstanceOf(CommandDeclarationException.class)
                    .hasMessageContaining("maxCommands is 1"));
  }

  static class More {
    @Command
    public void more() {}
  }

  static class Greeting {

    @Command(fallbackMethod = "other")
    public String greet(boolean fails) {
      if (fails) {
        throw new IllegalStateException();
      }
      return LocaleContextHolder.getLocale().toLanguageTag();
    }

    String other(boolean fails) {
      return "other " + LocaleContextHolder.getLocale().toLanguageTag();
    }
  }

  @Test
  void localeOfTheCaller_isInWorkAndFallback_withoutBeingRegisteredAnywhere() {
    runner
        .withBean(Greeting.class)
        .run(
            context -> {
              Greeting greeting = context.getBean(Greeting.class);
              LocaleContextHolder.setLocale(Locale.forLanguageTag("gsw-CH"));
              try {
                assertThat(greeting.greet(false)).isEqualTo("gsw-CH");
                assertThat(greeting.greet(true)).isEqualTo("other gsw-CH");
              } finally {
                LocaleContextHolder.resetLocaleContext();
              }
              assertThat(greeting.greet(false)).as("the next caller's").isNotEqualTo("gsw-CH");
            });
  }

  @Test
  void beanOfAClosedModule_isLeftAlone() {
    runner
        .withBean("server", MBeanServer.class, () -> MBeanServerFactory.newMBeanServer())
        .run(context -> assertThat(context).hasNotFailed().hasSingleBean(MBeanServer.class));
  }

  @Test
  void tenrecOfTheApplication_takesThePlace() {
    Tenrec own = Tenrec.create();
    runner
        .withBean("own", Tenrec.class, () -> own)
        .run(context -> assertThat(context).getBean(Tenrec.class).isSameAs(own));
  }

  static class LastCall implements DisposableBean {

    private final Quotes quotes;

    LastCall(Quotes quotes) {
      this.quotes = quotes;
    }

    @Override
    public void destroy() {
      Quotes.CLOSED.add("left " + quotes.left());
    }
  }

  @Test
  void beansThatAreDestroyed_canStillCall_andThenTenrecIsClosed() {
    Quotes.CLOSED.clear();
    Tenrec[] tenrec = new Tenrec[1];
    runner.withBean(LastCall.class).run(context -> tenrec[0] = context.getBean(Tenrec.class));

    assertThat(Quotes.CLOSED).containsExactly("left 7");
    await().until(() -> tenrec[0].liveThreads() == 0); // close() waits half a second for the last
  }

  @Test
  void webApplications_getTheirFilter_unlessSwitchedOff() {
    new WebApplicationContextRunner()
        .withConfiguration(OURS)
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(RequestContextFilter.class)
                    .doesNotHaveBean(ReactiveRequestContextFilter.class));
    new ReactiveWebApplicationContextRunner()
        .withConfiguration(OURS)
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(ReactiveRequestContextFilter.class)
                    .doesNotHaveBean(RequestContextFilter.class));
    new WebApplicationContextRunner()
        .withConfiguration(OURS)
        .withPropertyValues("tenrec.annotations.request-context=false")
        .run(context -> assertThat(context).doesNotHaveBean(RequestContextFilter.class));
    runner.run(context -> assertThat(context).doesNotHaveBean(RequestContextFilter.class));
  }

  @Test
  void deadlineHeader_named_isReadByTheFilter() {
    new WebApplicationContextRunner()
        .withConfiguration(OURS)
        .withPropertyValues("tenrec.annotations.deadline-header=X-Left")
        .run(
            context -> {
              Tenrec tenrec = context.getBean(Tenrec.class);
              MockHttpServletRequest request = new MockHttpServletRequest();
              request.addHeader("X-Left", "60000");
              List<Boolean> within = new ArrayList<>();
              context
                  .getBean(RequestContextFilter.class)
                  .doFilter(
                      request,
                      new MockHttpServletResponse(),
                      (handled, response) -> within.add(Deadline.current(tenrec).isPresent()));
              assertThat(within).containsExactly(true);
            });
  }

  @EnableAutoConfiguration
  @Configuration(proxyBeanMethods = false)
  static class Application {

    @Bean
    Quotes quotes() {
      return new Quotes();
    }
  }

  @Test
  void enableAutoConfiguration_findsIt() {
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(Application.class)
            .web(WebApplicationType.NONE)
            .properties(Contexts.PATIENT)
            .run()) {
      assertThat(context.getBean(Quotes.class).left()).isEqualTo(7);
    }
  }
}
