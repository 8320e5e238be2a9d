// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.callback.CallbackExecutor;
import dev.tenrec.core.execution.Engine;
import dev.tenrec.core.isolation.Aid;
import dev.tenrec.core.timeout.Timeout;

/** Has a pool's next try to start a thread come from the timer, and its failures logged apart. */
record PoolAid(Engine engine) implements Aid {

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
