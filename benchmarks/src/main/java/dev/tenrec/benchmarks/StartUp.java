// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.spring.EnableCommands;
import dev.tenrec.benchmarks.startup.FreshClasses;
import dev.tenrec.benchmarks.startup.TenMethods;
import dev.tenrec.core.Tenrec;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Starts a context with 1,000 annotated methods on 100 beans: with Tenrec behind them, behind an
 * advisor that does nothing, and without any. Each start has classes of its own.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(5)
@Warmup(iterations = 5)
@Measurement(iterations = 5)
public class StartUp {

  private static final int BEANS = 100;

  @Configuration(proxyBeanMethods = false)
  @EnableCommands
  static class Commands {
    @Bean
    Tenrec tenrec() {
      return Tenrec.create();
    }
  }

  /** Finds the same methods, and makes proxies as the commands' advisor has them made. */
  @Configuration(proxyBeanMethods = false)
  static class Nothing {

    @Bean
    static DefaultAdvisorAutoProxyCreator proxies() {
      return new DefaultAdvisorAutoProxyCreator();
    }

    @Bean
    static Advisor nothing() {
      MethodInterceptor proceed = invocation -> invocation.proceed();
      return new DefaultPointcutAdvisor(
          new AnnotationMatchingPointcut(null, Command.class), proceed);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Bare {}

  /** New for each start. */
  @State(Scope.Benchmark)
  public static class Beans {

    private List<Class<? extends TenMethods>> types = List.of();
    private @Nullable AnnotationConfigApplicationContext started;

    @Setup(Level.Invocation)
    public void makeClasses() {
      types = FreshClasses.make(BEANS);
    }

    AnnotationConfigApplicationContext start(Class<?> configuration) {
      AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
      started = context;
      context.register(configuration);
      types.forEach(context::register);
      context.refresh();
      return context;
    }

    @TearDown(Level.Invocation)
    public void stop() {
      AnnotationConfigApplicationContext context = started;
      if (context == null) {
        throw new IllegalStateException("nothing was started");
      }
      try (context) {
        check(context);
      }
    }

    private void check(AnnotationConfigApplicationContext context) {
      boolean bare = context.getBeanNamesForType(Bare.class).length > 0;
      for (TenMethods bean : context.getBeansOfType(TenMethods.class).values()) {
        if (AopUtils.isAopProxy(bean) == bare) {
          throw new IllegalStateException(bean + (bare ? " has" : " has no") + " proxy");
        }
      }
      context
          .getBeanProvider(Tenrec.class)
          .ifAvailable(
              tenrec -> {
                int commands = tenrec.commands().size();
                if (commands != BEANS * TenMethods.METHODS) {
                  throw new IllegalStateException("there are " + commands + " commands");
                }
              });
    }
  }

  @Benchmark
  public Object bare(Beans beans) {
    return beans.start(Bare.class);
  }

  @Benchmark
  public Object nothing(Beans beans) {
    return beans.start(Nothing.class);
  }

  @Benchmark
  public Object tenrec(Beans beans) {
    return beans.start(Commands.class);
  }
}
