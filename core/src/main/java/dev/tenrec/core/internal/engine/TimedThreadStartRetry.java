// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import dev.tenrec.core.internal.call.Engine;
import dev.tenrec.core.internal.callback.CallbackExecutor;
import dev.tenrec.core.internal.isolation.ThreadStartRetry;
import dev.tenrec.core.internal.timeout.Timeout;

/** Has a pool's next try to start a thread come from the timer, and its failures logged apart. */
record TimedThreadStartRetry(Engine engine) implements ThreadStartRetry {

  private static final long PATIENCE_NANOS = CallbackExecutor.PATIENCE.toNanos();

  @Override
  public boolean later(Runnable attempt) {
    return engine.timer().arm(new Attempt(attempt, engine.ticker().nanoTime() + PATIENCE_NANOS));
  }

  @Override
  public void failed(String what, Throwable thrown) {
    engine.failures().failed(what, thrown);
  }

  /** The timer's node. Closing drains what waits, so it needs no word of that. */
  private static final class Attempt extends Timeout {

    private final Runnable attempt;

    private Attempt(Runnable attempt, long deadlineNanos) {
      super(deadlineNanos);
      this.attempt = attempt;
    }

    @Override
    protected boolean isEnded() {
      return false;
    }

    @Override
    protected void expired() {
      attempt.run();
    }
  }
}
