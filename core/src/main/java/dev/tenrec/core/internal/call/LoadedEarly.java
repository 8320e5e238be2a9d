// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.internal.gate.FallbackRefusal;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandInterruptedException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.FailedResultException;
import dev.tenrec.core.outcome.MissingFallbackException;
import java.lang.invoke.MethodHandles;

/**
 * Classes that only the ways out of a call need. They are initialized with the first command,
 * because a class that runs out of stack or memory in its initialization is lost for ever, and the
 * first call to need one may have neither.
 */
public final class LoadedEarly {

  private static final Class<?>[] OF_ALL_CALLS = {
    Cancellers.class,
    CallerWait.class,
    CircuitOpenException.class,
    CommandInterruptedException.class,
    CommandRejectedException.class,
    CommandTimeoutException.class,
    Errors.class,
    FailedResultException.class,
    FallbackRefusal.class,
    FallbackTask.class,
    FallbackThread.class,
    InterruptOrigin.class,
    MissingFallbackException.class,
    PublicationListener.class,
    StackReserve.class,
    StageFollower.class,
    StageFollower.LateEnd.class,
    Verdict.class,
  };

  private LoadedEarly() {}

  /** What any call may need. To be called before the first command is made. */
  public static void load() {
    initialize(MethodHandles.lookup(), OF_ALL_CALLS);
  }

  /** Initializes classes that the lookup sees. */
  public static void initialize(MethodHandles.Lookup lookup, Class<?>... neededLater) {
    try {
      for (Class<?> later : neededLater) {
        Class<?> unused = lookup.ensureInitialized(later);
      }
    } catch (IllegalAccessException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
