// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.spring;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.Contexts;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CommandView;
import java.util.concurrent.atomic.AtomicInteger;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** A bean whose methods are commands, in a context with an advice further in, which is counted. */
final class AdvisedBean<T> implements AutoCloseable {

  private final Class<T> type;
  private final AnnotationConfigApplicationContext context;

  AdvisedBean(Class<T> type) {
    this(type, Contexts.of(Inner.class, type));
  }

  private AdvisedBean(Class<T> type, AnnotationConfigApplicationContext context) {
    this.type = type;
    this.context = context;
  }

  /**
   * One whose time stands still: no thread that is held up passes for lost, so that a caller goes
   * on without it, and no budget forgets what was spent.
   */
  static <T> AdvisedBean<T> timeless(Class<T> type) {
    return new AdvisedBean<>(
        type, new AnnotationConfigApplicationContext(Timeless.class, Inner.class, type));
  }

  @Configuration(proxyBeanMethods = false)
  @EnableCommands
  static class Timeless {

    @Bean
    Tenrec tenrec() {
      ManualTime time = new ManualTime();
      return Tenrec.builder().time(time, time).build();
    }
  }

  /** Further in than commands, as a transaction would be. */
  @Aspect
  @EnableAspectJAutoProxy
  @Order(Ordered.LOWEST_PRECEDENCE)
  static class Inner {

    private final AtomicInteger entered = new AtomicInteger();

    @Around("@annotation(command)")
    Object around(ProceedingJoinPoint point, Command command) throws Throwable {
      entered.incrementAndGet();
      return point.proceed();
    }
  }

  /** The bean as others are given it. */
  T bean() {
    return context.getBean(type);
  }

  Tenrec tenrec() {
    return context.getBean(Tenrec.class);
  }

  /** How often the advice further in was entered. */
  int entered() {
    return context.getBean(Inner.class).entered.get();
  }

  CommandView view(String method) {
    String key = type.getSimpleName() + "." + method;
    return tenrec().commands().stream()
        .filter(view -> view.key().equals(key))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    context.close();
  }
}
