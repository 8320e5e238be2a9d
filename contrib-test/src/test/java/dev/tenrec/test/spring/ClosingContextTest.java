// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tenrec.annotations.boot.TenrecAutoConfiguration;
import dev.tenrec.core.Command;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.test.Faults;
import dev.tenrec.test.HeldCalls;
import dev.tenrec.test.VirtualTime;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** A context closes whatever its calls are at: time goes on for it. */
class ClosingContextTest {

  // Written by the test's thread before it has work begin, read by that.
  private static volatile CountDownLatch began = new CountDownLatch(1);
  private static volatile CountDownLatch end = new CountDownLatch(1);

  @AfterEach
  void letGo() {
    end.countDown();
    end = new CountDownLatch(1);
    began = new CountDownLatch(1);
  }

  private static void awaitBegin() throws InterruptedException {
    assertThat(began.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
  }

  private static String stuck(String text) {
    CountDownLatch mine = end;
    began.countDown();
    while (mine.getCount() > 0) {
      try {
        mine.await();
      } catch (InterruptedException e) {
        // as a driver that does not care
      }
    }
    return text;
  }

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration(TenrecAutoConfiguration.class)
  static class Application {
    @Bean
    Command<String, String> stuck(Tenrec tenrec) {
      return tenrec.command("Stuck", ClosingContextTest::stuck).withoutTimeout().build();
    }
  }

  /** Says good-bye by a call, before the Tenrec it depends on is closed. */
  static final class Farewell implements DisposableBean {
    private final Command<String, String> late;
    final CompletableFuture<Outcome<String>> said = new CompletableFuture<>();

    Farewell(Tenrec tenrec) {
      late =
          tenrec.command("Late", ClosingContextTest::stuck).timeout(Duration.ofMillis(10)).build();
    }

    @Override
    public void destroy() {
      said.complete(late.attempt("bye"));
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration(TenrecAutoConfiguration.class)
  static class Polite {
    @Bean
    Farewell farewell(Tenrec tenrec) {
      return new Farewell(tenrec);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration(TenrecAutoConfiguration.class)
  static class Broken {
    @Bean
    InitializingBean broken(Tenrec tenrec) {
      return () -> {
        tenrec.command("Stuck", ClosingContextTest::stuck).build().executeAsync("a");
        awaitBegin();
        throw new IllegalStateException("cannot begin");
      };
    }
  }

  @TenrecTest
  @SpringJUnitConfig(Application.class)
  static class WithStuckWork {}

  @TenrecTest
  @SpringJUnitConfig(Application.class)
  @TestPropertySource(properties = "of=a child")
  static class WithAChild {}

  @TenrecTest
  @SpringJUnitConfig(Polite.class)
  static class WithALastCall {}

  @TenrecTest
  @SpringJUnitConfig(Broken.class)
  static class ThatFails {}

  @TenrecTest(virtualTime = false)
  @SpringJUnitConfig(Application.class)
  @TestPropertySource(properties = "of=held work")
  static class WithHeldWork {}

  @TenrecTest
  @SpringJUnitConfig(Application.class)
  @TestPropertySource(properties = "of=held work in virtual time")
  static class WithHeldWorkInVirtualTime {}

  @Test
  void close_withStuckWork_ends() throws Exception {
    TestContextManager tests = new TestContextManager(WithStuckWork.class);
    ApplicationContext context = tests.getTestContext().getApplicationContext();
    @SuppressWarnings("unchecked")
    Command<String, String> stuck = context.getBean("stuck", Command.class);
    stuck.executeAsync("a");
    awaitBegin();
    close(tests);
    assertThat(stuck.isClosed()).isTrue();
  }

  @Test
  void close_withABeanWhoseLastCallTimesOut_ends() throws Exception {
    TestContextManager tests = new TestContextManager(WithALastCall.class);
    Farewell farewell = tests.getTestContext().getApplicationContext().getBean(Farewell.class);
    close(tests);
    assertThat(farewell.said.getNow(null))
        .satisfies(outcome -> assertThat(outcome.has(EventType.TIMEOUT)).isTrue());
  }

  /** It is not closed, and its beans are destroyed all the same. */
  @Test
  void beginning_thatFailsWithStuckWork_ends() throws Exception {
    TestContextManager tests = new TestContextManager(ThatFails.class);
    assertThatExceptionOfType(Exception.class)
        .isThrownBy(() -> elsewhere(() -> tests.getTestContext().getApplicationContext()))
        .withStackTraceContaining("cannot begin");
  }

  @Test
  void close_inRealTimeWithHeldWork_letsItGo() throws Exception {
    TestContextManager tests = new TestContextManager(WithHeldWork.class);
    ApplicationContext context = tests.getTestContext().getApplicationContext();
    @SuppressWarnings("unchecked")
    Command<String, String> command = context.getBean("stuck", Command.class);
    end.countDown();
    context.getBean(Faults.class).on("Stuck").nth(1).hold();
    CompletableFuture<String> held = command.executeAsync("a");
    close(tests);
    assertThat(held.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("a");
  }

  @Test
  void close_inVirtualTimeWithHeldWork_letsItGo() throws Exception {
    TestContextManager tests = new TestContextManager(WithHeldWorkInVirtualTime.class);
    ApplicationContext context = tests.getTestContext().getApplicationContext();
    @SuppressWarnings("unchecked")
    Command<String, String> command = context.getBean("stuck", Command.class);
    end.countDown();
    HeldCalls held = context.getBean(Faults.class).on("Stuck").hold();
    CompletableFuture<String> call = command.executeAsync("a");
    held.await(1);
    close(tests);
    assertThat(call.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("a");
  }

  /** A context notifies its parents of its end, too. */
  @Test
  void close_ofAChild_leavesTimeStandingStill() throws Exception {
    TestContextManager tests = new TestContextManager(WithAChild.class);
    ApplicationContext context = tests.getTestContext().getApplicationContext();
    VirtualTime time = context.getBean(VirtualTime.class);
    long before = time.nanoTime();
    try (GenericApplicationContext child = new GenericApplicationContext(context)) {
      child.refresh();
    }
    assertThat(time.nanoTime()).isEqualTo(before);
    close(tests);
    assertThat(time.nanoTime()).isGreaterThan(before);
  }

  private static void close(TestContextManager tests) throws Exception {
    boolean unused =
        elsewhere(
            () -> {
              tests.getTestContext().markApplicationContextDirty(HierarchyMode.EXHAUSTIVE);
              return true;
            });
  }

  /** On a thread of its own: what never ends is to fail the test. */
  private static <T> T elsewhere(Callable<T> call) throws Exception {
    CompletableFuture<T> done = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                done.complete(call.call());
              } catch (Throwable thrown) {
                done.completeExceptionally(thrown);
              }
            },
            "closing");
    thread.setDaemon(true);
    thread.start();
    return done.get(PatientWaits.seconds(), TimeUnit.SECONDS);
  }
}
