// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.isolation.Permits;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * Why a fallback does not run.
 *
 * @param event what is counted
 * @param figures what its permits refused on, as {@link Permits#take} has it; 0 if they did not
 */
record NoFallback(EventType event, long figures) {

  static final NoFallback MISSING = new NoFallback(EventType.FALLBACK_MISSING, 0);
  static final NoFallback DISABLED = new NoFallback(EventType.FALLBACK_DISABLED, 0);

  /** It would have run, but there is nobody to run it. */
  static final NoFallback NOBODY = new NoFallback(EventType.FALLBACK_REJECTION, 0);

  static NoFallback full(long figures) {
    return new NoFallback(EventType.FALLBACK_REJECTION, figures);
  }

  /** The fallback's error; null if it has none, because it was not there to be asked. */
  @Nullable CommandRejectedException error(String commandKey, boolean stackTraces) {
    if (event != EventType.FALLBACK_REJECTION) {
      return null;
    }
    return new CommandRejectedException(
        commandKey,
        this == NOBODY
            ? CommandRejectedException.Reason.CALLBACK_EXECUTOR
            : CommandRejectedException.Reason.FALLBACK,
        commandKey,
        Permits.limitOf(figures),
        Permits.inUseOf(figures),
        stackTraces);
  }
}
