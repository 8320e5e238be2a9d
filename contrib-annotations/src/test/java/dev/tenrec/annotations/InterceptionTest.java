// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandView;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.core.PriorityOrdered;

/** Which calls reach a command, whatever kind of proxy stands before the bean. */
class InterceptionTest {

  private AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

  @AfterEach
  void close() {
    context.close();
  }

  private Iterable<String> keys() {
    return context.getBean(Tenrec.class).commands().stream().map(CommandView::key).toList();
  }

  interface Source<T> {

    T byId(T id);

    @Command
    default String described(T id) {
      return "described " + id + " on " + Thread.currentThread().getName();
    }
  }

  static class Texts implements Source<String> {

    @Override
    @Command(fallbackMethod = "chained")
    public String byId(String id) {
      throw new IllegalStateException();
    }

    @Command
    public String chained(String id) {
      return id + " on " + Thread.currentThread().getName();
    }
  }

  /** Seen through an interface alone. */
  interface Named extends Source<String> {
    String chained(String id);
  }

  static class NamedTexts extends Texts implements Named {}

  @Test
  @SuppressWarnings("unchecked")
  void genericInterface_behindAProxyOfInterfaces_isGuarded() {
    context = Contexts.of(NamedTexts.class);
    Source<String> source = context.getBean(Source.class);

    assertThat(Proxy.isProxyClass(source.getClass())).isTrue();
    assertThat(source.byId("a")).startsWith("a on tenrec-NamedTexts-");
    assertThat(source.described("a")).contains("on tenrec-NamedTexts-");
    assertThat(keys()).contains("NamedTexts.byId", "NamedTexts.chained", "NamedTexts.described");
  }

  static class Hidden implements Source<String> {

    @Override
    public String byId(String id) {
      return id;
    }

    @Command
    public String hidden() {
      return "";
    }
  }

  @Test
  void methodThatTheProxyDoesNotHave_stopsTheStart() {
    assertThatThrownBy(() -> Contexts.of(Hidden.class).close())
        .isInstanceOf(CommandDeclarationException.class)
        .hasMessageContaining("Hidden.hidden()")
        .hasMessageContaining("none of them has the method");
  }

  /** Before the one that makes proxies, and what it needs as well. */
  static class First implements BeanPostProcessor, PriorityOrdered {

    @Override
    public int getOrder() {
      return 0;
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class TooEarly {

    @Bean
    static First processor(Early early) {
      return new First();
    }

    @Bean
    static Early early() {
      return new Early();
    }
  }

  static class Early {

    @Command
    public String name() {
      return "";
    }
  }

  @Test
  void beanMadeTooEarlyForAProxy_stopsTheStart() {
    assertThatThrownBy(() -> Contexts.of(TooEarly.class).close())
        .isInstanceOf(CommandDeclarationException.class)
        .hasMessageContaining("bean early, a " + Early.class.getName())
        .hasMessageContaining("no proxy that could call its commands");
  }

  abstract static class Base<T> {

    @Command
    public String kept(T id) {
      return id + " kept";
    }

    @Command
    public abstract String made(T id);
  }

  static class Numbers extends Base<Integer> {
    @Override
    public String made(Integer id) {
      return id + " made";
    }
  }

  static class Letters extends Base<String> {
    @Override
    public String made(String id) {
      return id + " made";
    }
  }

  @Test
  void inheritedMethods_haveTheKeysOfTheBeansClass() {
    context = Contexts.of(Numbers.class, Letters.class);
    Base<Integer> numbers = context.getBean(Numbers.class);

    assertThat(numbers.kept(1)).isEqualTo("1 kept");
    assertThat(numbers.made(1)).isEqualTo("1 made");
    assertThat(context.getBean(Letters.class).made("a")).isEqualTo("a made");
    assertThat(keys())
        .contains("Numbers.kept", "Letters.kept", "Numbers.made", "Letters.made")
        .hasSize(4);
  }

  @Scope("prototype")
  static class Prototype {

    @Command
    public String name() {
      return Thread.currentThread().getName();
    }
  }

  @Test
  void prototypes_shareTheirCommand() {
    context = Contexts.of(Prototype.class);

    assertThat(context.getBean(Prototype.class).name()).startsWith("tenrec-Prototype-");
    assertThat(context.getBean(Prototype.class).name()).startsWith("tenrec-Prototype-");
    assertThat(keys()).containsExactly("Prototype.name");
  }

  @Configuration(proxyBeanMethods = false)
  static class SecondCreator {
    @Bean
    static DefaultAdvisorAutoProxyCreator creator() {
      DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
      creator.setProxyTargetClass(true);
      return creator;
    }
  }

  @Test
  void secondProxyCreator_makesNoSecondExecution() {
    context = Contexts.of(SecondCreator.class, Letters.class);

    assertThat(context.getBean(Letters.class).kept("a")).isEqualTo("a kept");
    await() // a caller may have gone on without a thread that is held up before it counts
        .untilAsserted(
            () ->
                assertThat(context.getBean(Tenrec.class).commands())
                    .filteredOn(view -> view.key().equals("Letters.kept"))
                    .extracting(view -> view.cumulativeCount(EventType.SUCCESS))
                    .containsExactly(1L));
  }
}
