// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.context;

import dev.tenrec.core.context.ContextPropagator.Captured;
import dev.tenrec.core.context.ContextPropagator.Scope;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that one execution carries from its caller's thread: captured once there, installed around
 * work and fallback. Immutable.
 */
public final class CallContext {

  /** Carries nothing. */
  public static final CallContext NONE = new CallContext(List.of());

  private static final Scope NOTHING_TO_CLOSE = () -> {};

  private final List<Captured> captured;

  private CallContext(List<Captured> captured) {
    this.captured = captured;
  }

  /** Captures from the current thread. Throws what a propagator throws. */
  public static CallContext capture(List<ContextPropagator> propagators) {
    if (propagators.isEmpty()) {
      return NONE;
    }
    List<Captured> captured = new ArrayList<>(propagators.size());
    for (ContextPropagator propagator : propagators) {
      Captured one = propagator.capture();
      if (one != null) {
        captured.add(one);
      }
    }
    return captured.isEmpty() ? NONE : new CallContext(captured);
  }

  /**
   * Installs everything in the current thread. If one of them throws, those installed before it are
   * put back and the exception goes on.
   *
   * @return ends the installation, in reverse order; every part of it is ended, whatever another
   *     one throws
   */
  public Scope open() {
    if (captured.isEmpty()) {
      return NOTHING_TO_CLOSE;
    }
    Scope[] scopes = new Scope[captured.size()];
    int open = 0;
    try {
      for (; open < scopes.length; open++) {
        scopes[open] = captured.get(open).install();
      }
    } catch (Throwable e) { // checked ones too, which other languages throw unannounced
      close(scopes, open, e);
      throw e;
    }
    return () -> {
      Throwable first = close(scopes, scopes.length, null);
      if (first != null) {
        throw CallContext.<RuntimeException>asItIs(first);
      }
    };
  }

  private static @Nullable Throwable close(Scope[] scopes, int open, @Nullable Throwable first) {
    for (int i = open - 1; i >= 0; i--) {
      try {
        scopes[i].close();
      } catch (Throwable e) {
        if (first == null) {
          first = e;
        } else if (first != e) { // an exception cannot suppress itself
          first.addSuppressed(e);
        }
      }
    }
    return first;
  }

  /** The compiler lets pass for X what the JVM throws anyhow. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <X extends Throwable> X asItIs(Throwable thrown) throws X {
    throw (X) thrown;
  }
}
