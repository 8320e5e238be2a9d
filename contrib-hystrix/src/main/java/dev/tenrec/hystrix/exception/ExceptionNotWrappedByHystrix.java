// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.exception;

import dev.tenrec.core.outcome.NoFallback;

/**
 * Marks an exception that reaches the caller as it is, not in a {@link HystrixRuntimeException}. No
 * fallback runs for it; it is a failure otherwise.
 */
public interface ExceptionNotWrappedByHystrix extends NoFallback {}
