// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.core.env.Environment;

/** Beans whose class nobody knows at start-up: looked at when they are made. */
class LateBeanTest {

  private AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

  @AfterEach
  void close() {
    context.close();
  }

  interface Stock {
    String left();
  }

  static class Right implements Stock {
    @Override
    @Command
    public String left() {
      return Thread.currentThread().getName();
    }
  }

  static class Wrong implements Stock {
    @Override
    @Command(fallbackMethod = "lost")
    public String left() {
      return Thread.currentThread().getName();
    }
  }

  /** Wrong, or right, after the start. */
  private static Stock stock(Environment environment) {
    return environment.getProperty("wrong", boolean.class, false) ? new Wrong() : new Right();
  }

  @Configuration(proxyBeanMethods = false)
  static class LazyOne {
    @Bean
    @Lazy
    Stock stock(Environment environment) {
      return LateBeanTest.stock(environment);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class PrototypeOne {
    @Bean
    @Scope("prototype")
    Stock stock(Environment environment) {
      return LateBeanTest.stock(environment);
    }
  }

  static class Factory implements FactoryBean<Object> {
    private final Environment environment;

    Factory(Environment environment) {
      this.environment = environment;
    }

    @Override
    public Object getObject() {
      return LateBeanTest.stock(environment);
    }

    @Override
    public Class<?> getObjectType() {
      return null;
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class ProducedOne {
    @Bean
    static Factory stock(Environment environment) {
      return new Factory(environment);
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {LazyOne.class, PrototypeOne.class, ProducedOne.class})
  void lateBean_thatIsRight_isGuarded(Class<?> configuration) {
    context = Contexts.of(configuration);

    assertThat(((Stock) context.getBean("stock")).left()).startsWith("tenrec-Right-");
  }

  @ParameterizedTest
  @ValueSource(classes = {LazyOne.class, PrototypeOne.class, ProducedOne.class})
  void lateBean_thatIsWrong_isNotMade(Class<?> configuration) {
    context = Contexts.of(Map.of("wrong", "true"), configuration);

    assertThatThrownBy(() -> context.getBean("stock"))
        .hasRootCauseInstanceOf(CommandDeclarationException.class)
        .rootCause()
        .hasMessageContaining("fallbackMethod \"lost\", but no method of that name");
  }
}
