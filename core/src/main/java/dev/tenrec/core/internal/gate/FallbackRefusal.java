// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.gate;

import dev.tenrec.core.internal.isolation.Permits;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.MissingFallbackException;
import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * Why a fallback does not run.
 *
 * @param event what is counted
 * @param figures what its permits refused on, as {@link Permits#take} has it; 0 if they did not
 */
public record FallbackRefusal(EventType event, long figures) {

  static final FallbackRefusal MISSING = new FallbackRefusal(EventType.FALLBACK_MISSING, 0);
  static final FallbackRefusal DISABLED = new FallbackRefusal(EventType.FALLBACK_DISABLED, 0);

  /** It would have run, but there is no thread to run it. */
  static final FallbackRefusal NOBODY = new FallbackRefusal(EventType.FALLBACK_REJECTION, 0);

  /** It would have run, but there is no memory for its gate's permits. */
  static final FallbackRefusal NO_MEMORY = new FallbackRefusal(EventType.FALLBACK_REJECTION, 0);

  static FallbackRefusal full(long figures) {
    return new FallbackRefusal(EventType.FALLBACK_REJECTION, figures);
  }

  /** What a fallback that threw this is counted as. */
  public static EventType eventOf(Throwable fallbackError) {
    return fallbackError instanceof MissingFallbackException
        ? EventType.FALLBACK_MISSING
        : EventType.FALLBACK_FAILURE;
  }

  /** The fallback's error; null if it has none, because it was not there to be asked. */
  public @Nullable CommandRejectedException error(String commandKey, boolean stackTraces) {
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
