// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.exception;

import org.jspecify.annotations.Nullable;

/**
 * Work throws it if the caller asked wrongly: it reaches the caller, no fallback runs, and it does
 * not count against the dependency.
 */
public class HystrixBadRequestException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Says what was wrong. */
  public HystrixBadRequestException(@Nullable String message) {
    super(message);
  }

  /** Says what was wrong, and why. */
  public HystrixBadRequestException(@Nullable String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
