// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.context;

import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import org.jspecify.annotations.Nullable;

/**
 * Carries whatever has a thread-local accessor registered with Micrometer's context-propagation:
 * tracing, security, locale. Used when that library is present.
 */
public final class MicrometerPropagator implements ContextPropagator {

  private final ContextRegistry registry = ContextRegistry.getInstance();

  private final ContextSnapshotFactory snapshots =
      ContextSnapshotFactory.builder().contextRegistry(registry).clearMissing(true).build();

  /** Whether the library is on the class path. */
  public static boolean isPresent() {
    try {
      Class.forName(
          "io.micrometer.context.ContextSnapshotFactory",
          false,
          MicrometerPropagator.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  @Override
  public @Nullable Captured capture() {
    if (registry.getThreadLocalAccessors().isEmpty()) { // nothing is registered to carry
      return null;
    }
    ContextSnapshot snapshot = snapshots.captureAll();
    return () -> {
      ContextSnapshot.Scope scope = snapshot.setThreadLocals();
      return scope::close;
    };
  }
}
