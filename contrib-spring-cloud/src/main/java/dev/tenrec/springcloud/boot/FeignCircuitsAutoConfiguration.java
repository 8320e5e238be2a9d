// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud.boot;

import dev.tenrec.springcloud.TenrecCircuitBreakerFactory;
import dev.tenrec.springcloud.internal.FeignCircuits;
import dev.tenrec.springcloud.internal.FeignStart;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.cloud.openfeign.CircuitBreakerNameResolver;
import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * The commands of Feign's clients from the start, where OpenFeign asks for circuit breakers: {@code
 * spring.cloud.openfeign.circuitbreaker.enabled=true}.
 */
@AutoConfiguration(after = CircuitBreakerAutoConfiguration.class)
@ConditionalOnClass(FeignClient.class)
@ConditionalOnBean(TenrecCircuitBreakerFactory.class)
@ConditionalOnProperty("spring.cloud.openfeign.circuitbreaker.enabled")
public class FeignCircuitsAutoConfiguration {

  private static final String GROUPED = "spring.cloud.openfeign.circuitbreaker.group.enabled";

  /** The ids of their methods. */
  @Bean
  static FeignCircuits tenrecFeignCircuits(
      ConfigurableListableBeanFactory beans,
      ObjectProvider<CircuitBreakerNameResolver> resolver,
      Environment environment) {
    return new FeignCircuits(
        beans,
        (client, target, method) ->
            resolver.getObject().resolveCircuitBreakerName(client, target, method),
        environment::resolvePlaceholders,
        isGrouped(environment));
  }

  /** Creates their circuit breakers. */
  @Bean
  static FeignStart tenrecFeignStart(
      FeignCircuits circuits, TenrecCircuitBreakerFactory factory, Environment environment) {
    return new FeignStart(circuits, factory, isGrouped(environment));
  }

  private static boolean isGrouped(Environment environment) {
    return environment.getProperty(GROUPED, Boolean.class, false);
  }
}
