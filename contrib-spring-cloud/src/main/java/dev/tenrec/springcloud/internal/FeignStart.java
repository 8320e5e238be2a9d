// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud.internal;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.cloud.client.circuitbreaker.CircuitBreaker;
import org.springframework.cloud.client.circuitbreaker.CircuitBreakerFactory;

/**
 * Creates the circuit breakers of Feign's clients when the context starts: a wrong setting stops
 * the start instead of the first call, and views and meters have the commands from then on.
 */
public final class FeignStart implements SmartInitializingSingleton {

  private final FeignCircuits circuits;
  private final CircuitBreakerFactory<?, ?> factory;
  private final boolean grouped;

  /**
   * Creates by {@code factory}.
   *
   * @param grouped whether clients name themselves as the group
   */
  public FeignStart(FeignCircuits circuits, CircuitBreakerFactory<?, ?> factory, boolean grouped) {
    this.circuits = circuits;
    this.factory = factory;
    this.grouped = grouped;
  }

  @Override
  public void afterSingletonsInstantiated() {
    circuits
        .groups()
        .forEach(
            (id, group) -> {
              CircuitBreaker unused = grouped ? factory.create(id, group) : factory.create(id);
            });
  }
}
