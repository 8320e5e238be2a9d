// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.boot4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandProperty;
import dev.tenrec.annotations.Contexts;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandView;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.annotation.ConcurrencyLimit;
import org.springframework.resilience.annotation.EnableResilientMethods;

/** Where commands stand relative to Spring's own limit: inside, so they are not asked meanwhile. */
class ConcurrencyLimitOrderTest {

  private final AnnotationConfigApplicationContext context = Contexts.of(Limiting.class);

  @AfterEach
  void close() {
    context.close();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableResilientMethods
  static class Limiting {

    @Bean
    Printer printer() {
      return new Printer();
    }
  }

  static class Printer {

    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch mayGoOn = new CountDownLatch(1);

    @Command(
        isolation = IsolationStrategy.SEMAPHORE,
        timeout = "10m",
        commandProperties =
            @CommandProperty(
                name = "execution.isolation.semaphore.maxConcurrentRequests",
                value = "1"))
    @ConcurrencyLimit(1)
    public String print() throws InterruptedException {
      entered.countDown();
      assertThat(mayGoOn.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
      return "printed";
    }

    void await() throws InterruptedException {
      assertThat(entered.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    }

    void goOn() {
      mayGoOn.countDown();
    }
  }

  @Test
  void limit_isOutside_soACallThatWaitsForItIsNoExecutionYet() throws Exception {
    Printer printer = context.getBean(Printer.class);
    FutureTask<String> first = new FutureTask<>(printer::print);
    FutureTask<String> second = new FutureTask<>(printer::print);
    Thread firstCaller = new Thread(first);
    Thread secondCaller = new Thread(second);
    try {
      firstCaller.start();
      printer.await();
      secondCaller.start();
      await().until(() -> secondCaller.getState() == Thread.State.WAITING);
    } finally {
      printer.goOn();
      firstCaller.join(PatientWaits.patience().toMillis());
      secondCaller.join(PatientWaits.patience().toMillis());
    }

    assertThat(first.get()).isEqualTo("printed");
    assertThat(second.get()).isEqualTo("printed");
    CommandView view =
        context.getBean(Tenrec.class).commands().stream()
            .filter(one -> one.key().equals("Printer.print"))
            .findFirst()
            .orElseThrow();
    assertThat(view.cumulativeCount(EventType.SUCCESS)).isEqualTo(2);
    assertThat(view.cumulativeCount(EventType.SEMAPHORE_REJECTED)).isZero();
  }
}
