// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.opentelemetry;

import dev.tenrec.core.context.ContextPropagator;
import io.opentelemetry.context.Context;

/**
 * Carries OpenTelemetry's context, with the current span and baggage, from the caller's thread to
 * where work and fallback run. Registered by {@code TenrecBuilder.propagate}; not needed beside
 * Micrometer's context-propagation if that carries spans already. Thread-safe.
 */
public final class OpenTelemetryPropagator implements ContextPropagator {

  @Override
  @SuppressWarnings("MustBeClosedChecker") // what is returned is closed at the work's end
  public Captured capture() {
    Context context = Context.current();
    return () -> {
      io.opentelemetry.context.Scope scope = context.makeCurrent();
      return scope::close;
    };
  }
}
