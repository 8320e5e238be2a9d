// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.Contexts;
import dev.tenrec.annotations.LoggedLines;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.metrics.view.CommandView;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.test.context.bean.override.convention.TestBean;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Beans that a test replaces have no commands, and are stubbed and verified as any other. */
class MocksTest {

  static class Greetings {

    @Command(fallbackMethod = "silence", timeout = "30s")
    public String hi(String name) {
      return "hi " + name + on();
    }

    String silence(String name) {
      return "";
    }

    static String on() {
      return Thread.currentThread().getName().startsWith("tenrec-") ? " on the pool" : "";
    }
  }

  /** As a declarative client: only its proxy is a class. */
  interface Remote {

    @Command
    String get(String name);
  }

  static class RemoteFactory implements FactoryBean<Remote> {

    @Override
    public Remote getObject() {
      return (Remote)
          Proxy.newProxyInstance(
              Remote.class.getClassLoader(),
              new Class<?>[] {Remote.class},
              (proxy, method, arguments) ->
                  method.getName().equals("get") ? "got" + Greetings.on() : null);
    }

    @Override
    public Class<?> getObjectType() {
      return Remote.class;
    }
  }

  static class Caller {

    private final Greetings greetings;

    Caller(Greetings greetings) {
      this.greetings = greetings;
    }

    String call() {
      return greetings.hi("caller");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableCommands
  static class App {

    @Bean
    Tenrec tenrec() {
      return Contexts.patient();
    }

    @Bean
    Greetings greetings() {
      return new Greetings();
    }

    @Bean
    RemoteFactory remote() {
      return new RemoteFactory();
    }

    @Bean
    Caller caller(Greetings greetings) {
      return new Caller(greetings);
    }
  }

  private static List<String> keys(Tenrec tenrec) {
    return tenrec.commands().stream().map(CommandView::key).toList();
  }

  @Nested
  @SpringJUnitConfig(App.class)
  class OfAClass {

    @MockitoBean Greetings greetings;
    @Autowired Caller caller;
    @Autowired Remote remote;
    @Autowired Tenrec tenrec;

    @Test
    void mock_isStubbedAndVerified_andIsNoCommand() {
      when(greetings.hi("caller")).thenReturn("stubbed");

      assertThat(caller.call()).isEqualTo("stubbed");
      verify(greetings).hi("caller");
      assertThat(keys(tenrec)).containsExactly("Remote.get");
    }

    @Test
    void commandsOfOthers_stay() {
      assertThat(remote.get("a")).isEqualTo("got on the pool");
    }
  }

  @Nested
  @SpringJUnitConfig(App.class)
  class OfAnInterface {

    @MockitoBean Remote remote;
    @Autowired Tenrec tenrec;

    @Test
    void mock_isStubbedAndVerified_andIsNoCommand() {
      when(remote.get(any())).thenReturn("stubbed");

      assertThat(remote.get("a")).isEqualTo("stubbed");
      verify(remote).get("a");
      verify(remote, never()).get("b");
      assertThat(keys(tenrec)).containsExactly("Greetings.hi");
    }
  }

  @Nested
  @SpringJUnitConfig(App.class)
  class Spied {

    @MockitoSpyBean Greetings greetings;
    @Autowired Caller caller;

    @Test
    void spy_isStubbedByWhen() {
      when(greetings.hi("caller")).thenReturn("stubbed");

      assertThat(caller.call()).isEqualTo("stubbed");
      assertThat(greetings.hi("else")).isEqualTo("hi else");
    }

    @Test
    void spy_isStubbedByDoReturn() {
      doReturn("stubbed").when(greetings).hi(any());

      assertThat(caller.call()).isEqualTo("stubbed");
    }

    @Test
    void verification_thatFails_reachesTheTest_andNoFallbackHidesIt() {
      assertThat(caller.call()).isEqualTo("hi caller");

      verify(greetings).hi("caller");
      assertThatThrownBy(() -> verify(greetings).hi("nobody")).isInstanceOf(AssertionError.class);
    }
  }

  @Nested
  @SpringJUnitConfig(App.class)
  class SpiedFactory {

    @MockitoSpyBean Remote remote;

    @Test
    void spy_ofAProxy_isStubbedAndVerified() {
      when(remote.get("a")).thenReturn("stubbed");

      assertThat(remote.get("a")).isEqualTo("stubbed");
      assertThat(remote.get("b")).isEqualTo("got");
      verify(remote).get("b");
    }
  }

  /** Writes in a transaction of its own. */
  static class Ledger {

    @Command(isolation = IsolationStrategy.SEMAPHORE, fallbackMethod = "unwritten")
    @Transactional
    public String write(String line) {
      return line + TransactionSynchronizationManager.isActualTransactionActive();
    }

    String unwritten(String line) {
      return "unwritten";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableCommands
  @EnableTransactionManagement
  static class WithTransactions {

    @Bean
    Tenrec tenrec() {
      return Contexts.patient();
    }

    @Bean
    TransactionManager transactions() {
      return new DataSourceTransactionManager(
          new EmbeddedDatabaseBuilder()
              .generateUniqueName(true)
              .setType(EmbeddedDatabaseType.H2)
              .build());
    }

    @Bean
    Ledger ledger() {
      return new Ledger();
    }
  }

  @Nested
  @SpringJUnitConfig(WithTransactions.class)
  class SpiedWithOtherAdvice {

    @MockitoSpyBean Ledger ledger;
    @Autowired Tenrec tenrec;

    @Test
    void spy_keepsItsOtherAdvice_andIsStubbedAndVerified() {
      assertThat(ledger.write("in a transaction: ")).isEqualTo("in a transaction: true");

      when(ledger.write("x")).thenReturn("stubbed");
      assertThat(ledger.write("x")).isEqualTo("stubbed");
      when(ledger.write("y")).thenThrow(new IllegalStateException("by the test"));
      assertThatThrownBy(() -> ledger.write("y")).hasMessage("by the test");
      verify(ledger).write("in a transaction: ");
      assertThat(keys(tenrec)).isEmpty();
    }
  }

  /** Injected into itself, so its proxy is made before it is initialized. */
  static class SelfAware {

    @Autowired SelfAware self;

    @Command(fallbackMethod = "silence", timeout = "30s")
    public String hi(String name) {
      return "hi " + name + Greetings.on();
    }

    String silence(String name) {
      return "";
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Circle extends App {

    @Bean
    SelfAware selfAware() {
      return new SelfAware();
    }
  }

  @Nested
  @SpringJUnitConfig(Circle.class)
  class SpiedInACircle {

    @MockitoSpyBean SelfAware selfAware;

    @Test
    void spy_ofABeanThatIsInjectedIntoItself_isStubbedAndHasNoCommands() {
      when(selfAware.hi("caller")).thenReturn("stubbed");
      when(selfAware.hi("broken")).thenThrow(new IllegalStateException("by the test"));

      assertThat(selfAware.hi("caller")).isEqualTo("stubbed");
      assertThatThrownBy(() -> selfAware.hi("broken")).hasMessage("by the test");
      assertThat(selfAware.hi("else")).isEqualTo("hi else");
      verify(selfAware).hi("else");
    }
  }

  @Nested
  @SpringJUnitConfig(App.class)
  class ByHand {

    @TestBean Greetings greetings;
    @Autowired Caller caller;
    @Autowired Tenrec tenrec;

    static Greetings greetings() {
      return new Greetings() {
        @Override
        public String hi(String name) {
          return "by hand" + on();
        }
      };
    }

    @Test
    void testBean_isLeftAlone() {
      assertThat(caller.call()).isEqualTo("by hand");
      assertThat(keys(tenrec)).containsExactly("Remote.get");
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class MadeByTheTest {

    @Bean
    Greetings mocked() {
      return mock(Greetings.class);
    }

    @Bean
    Remote remote() {
      return mock(Remote.class);
    }
  }

  @Test
  void mock_ofABeanMethod_isNoCommand_behindWhicheverProxy() {
    try (AnnotationConfigApplicationContext context = Contexts.of(MadeByTheTest.class)) {
      Greetings greetings = context.getBean(Greetings.class);
      Remote remote = context.getBean(Remote.class);
      when(greetings.hi("a")).thenReturn("stubbed");
      when(remote.get("a")).thenReturn("stubbed");

      assertThat(greetings.hi("a")).isEqualTo("stubbed");
      assertThat(remote.get("a")).isEqualTo("stubbed");
      verify(greetings).hi("a");
      verify(remote).get("a");
      assertThat(keys(context.getBean(Tenrec.class))).isEmpty();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class MockedManagers {

    @Bean
    PlatformTransactionManager mocked() {
      return mock(PlatformTransactionManager.class);
    }

    @Bean
    AbstractPlatformTransactionManager mockedClass() {
      return mock(AbstractPlatformTransactionManager.class);
    }
  }

  @Test
  void mock_ofATransactionManager_isLeftAlone() {
    try (LoggedLines log = new LoggedLines();
        AnnotationConfigApplicationContext context = Contexts.of(MockedManagers.class)) {
      context
          .getBeansOfType(PlatformTransactionManager.class)
          .values()
          .forEach(Mockito::verifyNoInteractions);
      assertThat(log.with("cannot be asked before its commits")).isEmpty();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class SpiedByTheTest {

    @Bean
    Greetings spied() {
      return spy(new Greetings());
    }

    @Bean
    Greetings real() {
      return new Greetings();
    }
  }

  @Test
  void realBean_besideASpyOfItsClass_keepsItsCommands() {
    try (AnnotationConfigApplicationContext context = Contexts.of(SpiedByTheTest.class)) {
      assertThat(context.getBean("spied", Greetings.class).hi("a")).isEqualTo("hi a");
      assertThat(context.getBean("real", Greetings.class).hi("a")).isEqualTo("hi a on the pool");
      assertThat(AopUtils.isAopProxy(context.getBean("real"))).isTrue();
    }
  }
}
