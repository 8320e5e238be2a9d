// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.collapser.Member;
import dev.tenrec.core.outcome.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * A member that is told all about its ending, whichever it was.
 *
 * @param <R> what it is answered
 */
public abstract class OutcomeMember<R extends @Nullable Object> extends Member<R> {

  private final CollapserRuntime runtime;
  private final long startNanos;

  /** One that is about to enter: its latency begins. */
  protected OutcomeMember(BatchDoor<?, R> door) {
    this.runtime = door.runtime();
    this.startNanos = runtime.now();
  }

  /** It has ended. Called once, unless its own side left. */
  protected abstract void onOutcome(Outcome<R> outcome);

  @Override
  public final void onValue(R value) {
    onOutcome(outcome(value, null));
  }

  @Override
  public final void onError(Throwable error) {
    onOutcome(outcome(null, error));
  }

  private Outcome<R> outcome(@Nullable R value, @Nullable Throwable error) {
    return Outcome.ofMember(
        runtime.key(), value, error, batchOutcome(), runtime.now() - startNanos);
  }
}
