// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.metrics.view.CircuitState;
import org.jspecify.annotations.Nullable;

/** The circuit breaker of a command, to be looked at. */
public interface HystrixCircuitBreaker {

  /**
   * Whether a call would be let through now, for all that is known; true as well while the circuit
   * is open, once the sleep window is over: the call is a trial then. Asking changes nothing.
   */
  boolean allowRequest();

  /** Whether it refuses calls, the next trial apart. */
  boolean isOpen();

  /** Finds circuit breakers. */
  final class Factory {

    private Factory() {}

    /**
     * That of a command; null if no instance of it was made yet, or {@code circuitBreaker.enabled}
     * is off.
     */
    public static @Nullable HystrixCircuitBreaker getInstance(HystrixCommandKey key) {
      KnownKeys keys = HystrixTenrec.knownIfAny();
      KnownCommand known = keys == null ? null : keys.commandIfAny(key.name());
      return known == null || !known.isOn(CommandProperties.BREAKER_ENABLED) ? null : of(known);
    }

    static HystrixCircuitBreaker of(KnownCommand known) {
      return new HystrixCircuitBreaker() {
        @Override
        public boolean allowRequest() {
          return known.view().isCallAllowed();
        }

        @Override
        public boolean isOpen() {
          CircuitState state = known.view().circuitState();
          return state == CircuitState.OPEN
              || state == CircuitState.HALF_OPEN
              || state == CircuitState.FORCED_OPEN;
        }
      };
    }
  }
}
