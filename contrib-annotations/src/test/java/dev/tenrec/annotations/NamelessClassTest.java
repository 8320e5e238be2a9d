// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.annotations.boot.TenrecAutoConfiguration;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.view.CommandView;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Beans of classes that are made at run-time, or can have no subclass. */
class NamelessClassTest {

  private final ApplicationContextRunner boot =
      new ApplicationContextRunner()
          .withPropertyValues(Contexts.PATIENT)
          .withConfiguration(
              AutoConfigurations.of(AopAutoConfiguration.class, TenrecAutoConfiguration.class));

  interface Basic {
    @Command
    String call(String text);
  }

  /** As of a declarative client. */
  interface Client extends Basic {}

  private static Client client() {
    return (Client)
        Proxy.newProxyInstance(
            Client.class.getClassLoader(),
            new Class<?>[] {Client.class, Basic.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "hashCode" -> 1;
                  case "equals" -> proxy == arguments[0];
                  default -> Thread.currentThread().getName();
                });
  }

  static class Clients implements FactoryBean<Client> {
    @Override
    public Client getObject() {
      return client();
    }

    @Override
    public Class<?> getObjectType() {
      return Client.class;
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Product {
    @Bean
    static Clients client() {
      return new Clients();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Plain {
    @Bean
    Client client() {
      return NamelessClassTest.client();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Lambda {
    @Bean
    Client client() {
      return text -> Thread.currentThread().getName();
    }
  }

  /** As Spring's own HTTP interfaces are made. */
  @Configuration(proxyBeanMethods = false)
  static class SpringMade {
    @Bean
    Client client() {
      return (Client) new ProxyFactory(NamelessClassTest.client()).getProxy();
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {Product.class, Plain.class, Lambda.class, SpringMade.class})
  void beanOfANamelessClass_isGuarded_underTheNameOfItsInterface(Class<?> configuration) {
    try (var context = Contexts.of(configuration)) {
      assertThat(context.getBean(Client.class).call("a")).startsWith("tenrec-Client-");
      assertThat(context.getBean(Tenrec.class).commands())
          .extracting(CommandView::key)
          .containsExactly("Client.call");
    }
    boot.withUserConfiguration(configuration)
        .run(
            context ->
                assertThat(context.getBean(Client.class).call("a")).startsWith("tenrec-Client-"));
  }

  interface Described {
    @Command
    default String described() {
      return Thread.currentThread().getName();
    }
  }

  interface Source<T> {
    String byId(T id);
  }

  record Sku(String id) implements Described, Source<String> {
    @Override
    @Command
    public String byId(String id) {
      return Thread.currentThread().getName();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Records {
    @Bean
    Sku sku() {
      return new Sku("a");
    }
  }

  @Test
  @SuppressWarnings("unchecked")
  void finalClass_behindAProxyOfItsInterfaces_isGuarded() {
    try (var context = Contexts.of(Records.class)) {
      assertThat(context.getBean(Described.class).described()).startsWith("tenrec-Sku-");
      Source<String> source = context.getBean(Source.class);
      assertThat(source.byId("a")).startsWith("tenrec-Sku-");
    }
  }

  @Test
  void finalClass_whereProxiesAreSubclasses_stopsTheStart_withAMessage() {
    boot.withUserConfiguration(Records.class)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .isInstanceOf(CommandDeclarationException.class)
                    .hasMessageContaining(Sku.class.getName())
                    .hasMessageContaining("a final class with commands")
                    .hasMessageContaining("spring.aop.proxy-target-class=false"));
    boot.withUserConfiguration(Records.class)
        .withPropertyValues("spring.aop.proxy-target-class=false")
        .run(
            context ->
                assertThat(context.getBean(Described.class).described()).startsWith("tenrec-Sku-"));
  }
}
