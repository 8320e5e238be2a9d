// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.contender;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandProperty;
import dev.tenrec.annotations.spring.EnableCommands;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.metrics.view.CommandView;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A bean whose method is a command of Tenrec's, set up as {@link Rules#usual} says. */
public final class AnnotatedByTenrec implements Contender {

  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();
  private final Measured bean;

  @Configuration(proxyBeanMethods = false)
  @EnableCommands
  static class Plain {
    @Bean
    Tenrec tenrec() {
      return Tenrec.create();
    }
  }

  static class Measured {
    private final UnaryOperator<String> work;
    private final Function<Throwable, String> fallback;

    Measured(UnaryOperator<String> work, Function<Throwable, String> fallback) {
      this.work = work;
      this.fallback = fallback;
    }

    @Command(
        fallbackMethod = "instead",
        isolation = IsolationStrategy.SEMAPHORE,
        timeout = "1s",
        commandProperties =
            @CommandProperty(
                name = "execution.isolation.semaphore.maxConcurrentRequests",
                value = "32"))
    public String answer(String question) {
      return work.apply(question);
    }

    String instead(String question, Throwable cause) {
      return fallback.apply(cause);
    }
  }

  /** Starts a context for it. */
  public AnnotatedByTenrec(UnaryOperator<String> work, Function<Throwable, String> fallback) {
    context.register(Plain.class);
    context.registerBean(Measured.class, () -> new Measured(work, fallback));
    context.refresh();
    bean = context.getBean(Measured.class);
  }

  @Override
  public String call(String question) {
    return bean.answer(question);
  }

  /** Its command, whose metrics show every call. */
  public CommandView view() {
    return context.getBean(Tenrec.class).commands().get(0);
  }

  @Override
  public boolean isOpen() {
    return view().circuitState() == CircuitState.OPEN;
  }

  @Override
  public void close() {
    context.close();
  }
}
