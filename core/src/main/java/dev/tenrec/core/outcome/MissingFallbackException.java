// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.outcome;

/**
 * Thrown by a fallback that finds that there is none: for code between a user's fallback and
 * Tenrec's, which does not know before whether the user has one. Counted as {@code
 * FALLBACK_MISSING} instead of {@code FALLBACK_FAILURE}.
 */
public class MissingFallbackException extends UnsupportedOperationException {

  private static final long serialVersionUID = 1L;

  /**
   * Says that there is no fallback.
   *
   * @param message where none is
   */
  public MissingFallbackException(String message) {
    super(message);
  }
}
