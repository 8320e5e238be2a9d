// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.outcome.MissingFallbackException;
import org.jspecify.annotations.Nullable;

/**
 * Stands, on its way through the engine, for an {@link UnsupportedOperationException} of a user's
 * fallback: to Hystrix that says that there is none, to the engine only its own exception does.
 */
final class UnsupportedFallbackException extends MissingFallbackException {

  private static final long serialVersionUID = 1L;

  private final UnsupportedOperationException users;

  private UnsupportedFallbackException(UnsupportedOperationException users) {
    super(String.valueOf(users.getMessage()));
    this.users = users;
    Throwable unused = initCause(users);
  }

  /** What the engine is to be given for what a fallback threw. */
  static Throwable toEngine(Throwable thrown) {
    return thrown instanceof UnsupportedOperationException users
            && !(thrown instanceof MissingFallbackException)
        ? new UnsupportedFallbackException(users)
        : thrown;
  }

  /** What the fallback threw. */
  static @Nullable Throwable fromEngine(@Nullable Throwable thrown) {
    return thrown instanceof UnsupportedFallbackException given ? given.users : thrown;
  }
}
