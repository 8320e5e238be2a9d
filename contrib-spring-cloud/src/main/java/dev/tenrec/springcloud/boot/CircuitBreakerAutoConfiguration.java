// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud.boot;

import dev.tenrec.annotations.boot.TenrecAutoConfiguration;
import dev.tenrec.annotations.context.LaterKeys;
import dev.tenrec.annotations.context.SpringCommands;
import dev.tenrec.core.Tenrec;
import dev.tenrec.springcloud.ReactiveTenrecCircuitBreakerFactory;
import dev.tenrec.springcloud.TenrecCircuitBreakerFactory;
import dev.tenrec.springcloud.internal.AnyId;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.cloud.client.circuitbreaker.CircuitBreakerFactory;
import org.springframework.cloud.client.circuitbreaker.Customizer;
import org.springframework.cloud.client.circuitbreaker.ReactiveCircuitBreakerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The factories of Spring Cloud CircuitBreaker, unless the application has its own. {@code
 * spring.cloud.circuitbreaker.tenrec.enabled=false} leaves them out.
 */
@AutoConfiguration(
    after = TenrecAutoConfiguration.class,
    beforeName = {
      "org.springframework.cloud.client.CommonsClientAutoConfiguration",
      "org.springframework.cloud.openfeign.FeignAutoConfiguration"
    })
@ConditionalOnClass(CircuitBreakerFactory.class)
@ConditionalOnBean(Tenrec.class)
@ConditionalOnProperty(name = CircuitBreakerAutoConfiguration.ENABLED, matchIfMissing = true)
public class CircuitBreakerAutoConfiguration {

  /** Whether there are factories: a boolean. */
  static final String ENABLED = "spring.cloud.circuitbreaker.tenrec.enabled";

  /** Ids that are not known when settings are read. */
  @Bean
  static LaterKeys tenrecCircuitBreakerIds() {
    return new AnyId();
  }

  /**
   * For callers that wait.
   *
   * @param customizers have the last word, in their order
   */
  @Bean
  @ConditionalOnMissingBean(CircuitBreakerFactory.class)
  static TenrecCircuitBreakerFactory tenrecCircuitBreakerFactory(
      Tenrec tenrec,
      SpringCommands commands,
      ObjectProvider<Customizer<TenrecCircuitBreakerFactory>> customizers) {
    TenrecCircuitBreakerFactory factory = new TenrecCircuitBreakerFactory(tenrec, commands);
    customizers.orderedStream().forEach(customizer -> customizer.customize(factory));
    return factory;
  }

  /** Where Reactor is. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = {"reactor.core.publisher.Mono", "reactor.core.publisher.Flux"})
  static class ReactiveConfiguration {

    /**
     * For Monos and Fluxes.
     *
     * @param customizers have the last word, in their order
     */
    @Bean
    @ConditionalOnMissingBean(ReactiveCircuitBreakerFactory.class)
    static ReactiveTenrecCircuitBreakerFactory tenrecReactiveCircuitBreakerFactory(
        Tenrec tenrec,
        SpringCommands commands,
        ObjectProvider<Customizer<ReactiveTenrecCircuitBreakerFactory>> customizers) {
      ReactiveTenrecCircuitBreakerFactory factory =
          new ReactiveTenrecCircuitBreakerFactory(tenrec, commands);
      customizers.orderedStream().forEach(customizer -> customizer.customize(factory));
      return factory;
    }
  }
}
