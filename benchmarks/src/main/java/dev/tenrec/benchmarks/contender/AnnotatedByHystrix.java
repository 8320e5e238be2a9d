// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.contender;

import com.netflix.hystrix.HystrixCircuitBreaker;
import com.netflix.hystrix.HystrixCommandKey;
import com.netflix.hystrix.contrib.javanica.annotation.HystrixCommand;
import com.netflix.hystrix.contrib.javanica.annotation.HystrixProperty;
import com.netflix.hystrix.contrib.javanica.aop.aspectj.HystrixCommandAspect;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;

/** The same bean under javanica's aspect, set up as {@link HystrixContender} is. */
public final class AnnotatedByHystrix implements Contender {

  private static final String KEY = "AnnotatedByHystrix";

  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();
  private final Measured bean;

  @Configuration(proxyBeanMethods = false)
  @EnableAspectJAutoProxy
  static class Aspects {
    @Bean
    HystrixCommandAspect commands() {
      return new HystrixCommandAspect();
    }
  }

  /** Public, and its fallback as well: javanica calls them by reflection. */
  public static class Measured {
    private final UnaryOperator<String> work;
    private final Function<Throwable, String> fallback;

    Measured(UnaryOperator<String> work, Function<Throwable, String> fallback) {
      this.work = work;
      this.fallback = fallback;
    }

    /** What is called. */
    @HystrixCommand(
        commandKey = KEY,
        fallbackMethod = "instead",
        commandProperties = {
          @HystrixProperty(name = "execution.isolation.strategy", value = "SEMAPHORE"),
          @HystrixProperty(
              name = "execution.isolation.semaphore.maxConcurrentRequests",
              value = "32"),
          @HystrixProperty(
              name = "fallback.isolation.semaphore.maxConcurrentRequests",
              value = "1000"),
          @HystrixProperty(name = "requestCache.enabled", value = "false"),
          @HystrixProperty(name = "requestLog.enabled", value = "false")
        })
    public String answer(String question) {
      return work.apply(question);
    }

    /** Never called. */
    public String instead(String question, Throwable cause) {
      return fallback.apply(cause);
    }
  }

  /** Starts a context for it. */
  public AnnotatedByHystrix(UnaryOperator<String> work, Function<Throwable, String> fallback) {
    context.register(Aspects.class);
    context.registerBean(Measured.class, () -> new Measured(work, fallback));
    context.refresh();
    bean = context.getBean(Measured.class);
  }

  @Override
  public String call(String question) {
    return bean.answer(question);
  }

  @Override
  public boolean isOpen() {
    HystrixCircuitBreaker breaker =
        HystrixCircuitBreaker.Factory.getInstance(HystrixCommandKey.Factory.asKey(KEY));
    return breaker != null && breaker.isOpen();
  }

  @Override
  public void close() {
    context.close();
  }
}
