// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.context;

import dev.tenrec.core.context.ContextPropagator;
import dev.tenrec.core.context.ContextPropagator.Captured;
import dev.tenrec.core.context.ContextPropagator.Scope;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that one execution carries from its caller's thread: captured once there, installed around
 * work and fallback. Immutable.
 */
public final class CallContext {

  /** Carries nothing. */
  public static final CallContext NONE = new CallContext(new Captured[0], 0);

  /** Where nothing was installed. */
  public static final Scope NOTHING_TO_CLOSE = () -> {};

  private static final Logger LOG = LoggerFactory.getLogger(CallContext.class);

  private final Captured[] captured;
  private final int count;

  private CallContext(Captured[] captured, int count) {
    this.captured = captured;
    this.count = count;
  }

  /** Captures from the current thread. Throws what a propagator throws. */
  public static CallContext capture(List<ContextPropagator> propagators) {
    Captured[] captured = null; // made when there is something: often there is nothing
    int count = 0;
    for (int i = 0; i < propagators.size(); i++) {
      Captured one = propagators.get(i).capture();
      if (one != null) {
        if (captured == null) {
          captured = new Captured[propagators.size() - i];
        }
        captured[count++] = one;
      }
    }
    return captured == null ? NONE : new CallContext(captured, count);
  }

  /**
   * Installs everything in the current thread. If one of them throws, those installed before it are
   * put back and the exception goes on.
   *
   * @return ends the installation, in reverse order; every part of it is ended, whatever another
   *     one throws
   */
  public Scope open() {
    if (count == 0) {
      return NOTHING_TO_CLOSE;
    }
    if (count == 1) {
      return captured[0].install();
    }
    Scope[] scopes = new Scope[count];
    int open = 0;
    try {
      for (; open < scopes.length; open++) {
        scopes[open] = captured[open].install();
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

  private static @Nullable Throwable close(Scope[] scopes, int open, @Nullable Throwable thrown) {
    Throwable first = thrown;
    for (int i = open - 1; i >= 0; i--) {
      first = close(scopes[i], first);
    }
    return first;
  }

  /**
   * Ends an installation. Throws nothing.
   *
   * @param first what was thrown before, or null
   * @return that, or what ending it threw. Of two the second is logged: the first is the user's,
   *     which the user may keep, and what is attached to it would stay there for ever
   */
  public static @Nullable Throwable close(Scope scope, @Nullable Throwable first) {
    try {
      scope.close();
      return first;
    } catch (Throwable e) { // a propagator is user code
      if (first == null) {
        return e;
      }
      if (first != e) {
        warn(e);
      }
      return first;
    }
  }

  private static void warn(Throwable second) {
    try {
      LOG.warn("a context could not be put back, after another failure", second);
    } catch (Throwable loggers) { // no memory, no stack: there is nothing left to do
      return;
    }
  }

  /** The compiler lets pass for X what the JVM throws anyhow. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <X extends Throwable> X asItIs(Throwable thrown) throws X {
    throw (X) thrown;
  }
}
