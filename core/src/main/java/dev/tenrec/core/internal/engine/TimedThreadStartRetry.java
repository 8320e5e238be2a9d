// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import dev.tenrec.core.internal.call.Engine;
import dev.tenrec.core.internal.callback.CallbackExecutor;
import dev.tenrec.core.internal.isolation.ThreadStartRetry;
import dev.tenrec.core.internal.timeout.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Has one pool's next try to start a thread come from the timer, and its failures logged apart.
 * Takes no memory when it is asked: that may be why the thread could not be started.
 */
final class TimedThreadStartRetry implements ThreadStartRetry {

  private static final long PATIENCE_NANOS = CallbackExecutor.PATIENCE.toNanos();

  private final Engine engine;
  private final Attempt next = new Attempt();

  TimedThreadStartRetry(Engine engine) {
    this.engine = engine;
  }

  @Override
  public boolean later(Runnable attempt) {
    return next.arm(attempt);
  }

  @Override
  public void failed(String what, Throwable thrown) {
    engine.failures().failed(what, thrown);
  }

  /** The timer's node. Closing drains what waits, so it needs no word of that. */
  private final class Attempt extends Timeout {

    /** Written by the thread that arms, read by the timer's, ordered by the timer's push. */
    private @Nullable Runnable attempt;

    private Attempt() {
      super(0); // postponed each time
    }

    boolean arm(Runnable what) {
      attempt = what;
      postpone(engine.ticker().nanoTime() + PATIENCE_NANOS);
      return engine.timer().arm(this);
    }

    @Override
    protected boolean isEnded() {
      return false;
    }

    @Override
    protected void expired() {
      Runnable due = attempt;
      try {
        if (due != null) {
          due.run();
        }
      } catch (Throwable thrown) { // it must not, for this may be armed again by now
        failed("a thread could not be started again", thrown);
      }
    }
  }
}
