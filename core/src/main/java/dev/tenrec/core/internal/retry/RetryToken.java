// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.retry;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One further attempt that was drawn on a {@link RetryBudget}. It is spent by the thread that
 * begins the attempt, or given back by the thread that ends the call before that: the first of them
 * decides. Thread-safe.
 */
public final class RetryToken {

  private static final int DRAWN = 0;
  private static final int SPENT = 1;
  private static final int GIVEN_BACK = 2;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(RetryToken.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
    try { // linked now: the JVM takes memory for the first call of each kind on a handle
      boolean unused = STATE.compareAndSet((RetryToken) null, DRAWN, SPENT);
    } catch (NullPointerException noToken) {
      // there is none so far: the handle has been linked before it looked
    }
  }

  private final RetryBudget budget;
  private final long slot;

  /** Changed once, by a CAS of any thread. */
  private volatile int state;

  /** Of what was drawn in this slot. */
  RetryToken(RetryBudget budget, long slot) {
    this.budget = budget;
    this.slot = slot;
  }

  /** The attempt begins. False if the token was given back: then it must not. */
  public boolean spend() {
    return STATE.compareAndSet(this, DRAWN, SPENT);
  }

  /** The attempt does not come about. Does nothing if the token is spent or given back. */
  public void giveBack() {
    if (state == DRAWN && STATE.compareAndSet(this, DRAWN, GIVEN_BACK)) {
      budget.giveBack(slot);
    }
  }
}
