// SPDX-License-Identifier: Apache-2.0
/**
 * Spring Cloud CircuitBreaker on Tenrec: {@link dev.tenrec.springcloud.TenrecCircuitBreakerFactory}
 * and {@link dev.tenrec.springcloud.ReactiveTenrecCircuitBreakerFactory}.
 */
@NullMarked
package dev.tenrec.springcloud;

import org.jspecify.annotations.NullMarked;
