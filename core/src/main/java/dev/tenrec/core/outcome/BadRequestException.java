// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.outcome;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by work to say: the caller asked for something wrong, the dependency is well. It reaches
 * the caller as it is; there is no fallback, and neither the circuit breaker nor the error
 * percentage sees it. For exceptions of your own, name them in the builders' {@code ignore}.
 */
public class BadRequestException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Makes one.
   *
   * @param message what was wrong; may be null
   */
  public BadRequestException(@Nullable String message) {
    super(message);
  }

  /**
   * Makes one with a cause.
   *
   * @param message what was wrong; may be null
   * @param cause where it showed; may be null
   */
  public BadRequestException(@Nullable String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
