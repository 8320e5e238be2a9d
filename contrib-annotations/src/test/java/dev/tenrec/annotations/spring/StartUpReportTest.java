// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.annotations.Collapsed;
import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.Contexts;
import dev.tenrec.annotations.LoggedLines;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.view.CommandView;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the log says once at start-up: how many commands there are, and which beans share them. */
class StartUpReportTest {

  private final LoggedLines log = new LoggedLines();

  @AfterEach
  void close() {
    log.close();
  }

  static class Rates {

    @Command
    public String of(String currency) {
      return currency;
    }

    @Collapsed(batchMethod = "all")
    public String one(String currency) {
      return currency;
    }

    List<String> all(List<String> currencies) {
      return currencies;
    }
  }

  static class Chosen {

    @Command(commandKey = "Rates")
    public String of(String currency) {
      return currency;
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class One {

    @Bean
    Rates rates() {
      return new Rates();
    }

    @Bean
    Chosen chosen() {
      return new Chosen();
    }
  }

  @Test
  void start_always_saysHowManyCommandsWereFound() {
    Contexts.of(One.class).close();

    assertThat(log.with("Found"))
        .containsExactly("INFO Found 2 commands and 1 collapser in 2 beans");
    assertThat(log.with("of one class")).isEmpty();
  }

  @Test
  void start_withoutCommands_saysSo() {
    Contexts.of(Object.class).close();

    assertThat(log.with("Found")).containsExactly("INFO Found 0 commands in 0 beans");
  }

  static class EuropeanRates extends Rates {}

  @Configuration(proxyBeanMethods = false)
  static class Two {

    @Bean
    Rates europe() {
      return new Rates();
    }

    @Bean
    Rates asia() {
      return new Rates();
    }
  }

  @Test
  void beansOfOneClass_areNamedOnce_withAWayToPartThem() {
    Contexts.of(Two.class).close();

    assertThat(log.with("of one class"))
        .singleElement()
        .asString()
        .startsWith("WARN The beans asia, europe are of one class, " + Rates.class.getName())
        .contains("Rates.of", "subclass", "\"Quotes-#{#region}\"");
  }

  @Configuration(proxyBeanMethods = false)
  static class Parted {

    @Bean
    EuropeanRates europe() {
      return new EuropeanRates();
    }

    @Bean
    Rates asia() {
      return new Rates();
    }
  }

  @Test
  void beansOfTheirOwnClasses_haveTheirOwnCommands_andAreNotNamed() {
    try (var context = Contexts.of(Parted.class)) {
      assertThat(context.getBean(Tenrec.class).commands())
          .extracting(CommandView::key)
          .contains("Rates.of", "EuropeanRates.of");
    }
    assertThat(log.with("of one class")).isEmpty();
  }

  @Configuration(proxyBeanMethods = false)
  static class SharedOnPurpose {

    @Bean
    Chosen first() {
      return new Chosen();
    }

    @Bean
    Chosen second() {
      return new Chosen();
    }
  }

  @Test
  void beansThatShareAChosenKey_areNotNamed() {
    Contexts.of(SharedOnPurpose.class).close();

    assertThat(log.with("of one class")).isEmpty();
  }
}
