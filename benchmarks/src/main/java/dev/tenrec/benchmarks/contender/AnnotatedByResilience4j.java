// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.contender;

import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.bulkhead.ThreadPoolBulkheadRegistry;
import io.github.resilience4j.bulkhead.annotation.Bulkhead;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowSynchronizationStrategy;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.circuitbreaker.annotation.CircuitBreaker;
import io.github.resilience4j.spring6.bulkhead.configure.BulkheadAspect;
import io.github.resilience4j.spring6.bulkhead.configure.BulkheadConfigurationProperties;
import io.github.resilience4j.spring6.circuitbreaker.configure.CircuitBreakerAspect;
import io.github.resilience4j.spring6.circuitbreaker.configure.CircuitBreakerConfigurationProperties;
import io.github.resilience4j.spring6.fallback.DefaultFallbackDecorator;
import io.github.resilience4j.spring6.fallback.FallbackDecorators;
import io.github.resilience4j.spring6.fallback.FallbackExecutor;
import io.github.resilience4j.spring6.spelresolver.DefaultSpelResolver;
import io.github.resilience4j.spring6.spelresolver.SpelResolver;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.core.StandardReflectionParameterNameDiscoverer;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * The same bean under Resilience4j's aspects for Spring 6, as its auto-configuration makes them:
 * breaker around bulkhead, set up as {@link Resilience4jContender} is. No time limiter: that one is
 * for futures.
 */
public final class AnnotatedByResilience4j implements Contender {

  private static final String NAME = "measured";

  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();
  private final CircuitBreakerRegistry breakers;
  private final Measured bean;

  @Configuration(proxyBeanMethods = false)
  @EnableAspectJAutoProxy
  static class Aspects {

    @Bean
    SpelResolver names(BeanFactory beans) {
      DefaultSpelResolver resolver =
          new DefaultSpelResolver(
              new SpelExpressionParser(), new StandardReflectionParameterNameDiscoverer(), beans);
      resolver.setEmbeddedValueResolver(text -> text);
      return resolver;
    }

    @Bean
    FallbackExecutor fallbacks(SpelResolver names) {
      return new FallbackExecutor(
          names, new FallbackDecorators(List.of(new DefaultFallbackDecorator())));
    }

    @Bean
    CircuitBreakerAspect breaker(
        CircuitBreakerRegistry breakers, FallbackExecutor fallbacks, SpelResolver names) {
      return new CircuitBreakerAspect(
          new CircuitBreakerConfigurationProperties(), breakers, List.of(), fallbacks, names);
    }

    @Bean
    BulkheadAspect bulkhead(
        BulkheadRegistry bulkheads, FallbackExecutor fallbacks, SpelResolver names) {
      return new BulkheadAspect(
          new BulkheadConfigurationProperties(),
          ThreadPoolBulkheadRegistry.ofDefaults(),
          bulkheads,
          List.of(),
          fallbacks,
          names);
    }
  }

  /** Public, for its methods are called by reflection. */
  public static class Measured {
    private final UnaryOperator<String> work;
    private final Function<Throwable, String> fallback;

    Measured(UnaryOperator<String> work, Function<Throwable, String> fallback) {
      this.work = work;
      this.fallback = fallback;
    }

    /** What is called. */
    @CircuitBreaker(name = NAME, fallbackMethod = "instead")
    @Bulkhead(name = NAME)
    public String answer(String question) {
      return work.apply(question);
    }

    /** Never called. */
    public String instead(String question, Throwable cause) {
      return fallback.apply(cause);
    }
  }

  /** Starts a context for it. */
  public AnnotatedByResilience4j(
      Rules rules, UnaryOperator<String> work, Function<Throwable, String> fallback) {
    breakers =
        CircuitBreakerRegistry.of(
            Resilience4jContender.breakerConfig(
                rules, SlidingWindowSynchronizationStrategy.SYNCHRONIZED));
    context.register(Aspects.class);
    context.registerBean(CircuitBreakerRegistry.class, () -> breakers);
    context.registerBean(
        BulkheadRegistry.class,
        () -> BulkheadRegistry.of(Resilience4jContender.bulkheadConfig(rules)));
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
    return breakers.circuitBreaker(NAME).getState()
        == io.github.resilience4j.circuitbreaker.CircuitBreaker.State.OPEN;
  }

  @Override
  public void close() {
    context.close();
  }
}
