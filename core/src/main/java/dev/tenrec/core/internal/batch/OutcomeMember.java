// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import dev.tenrec.core.internal.collapser.Member;
import dev.tenrec.core.outcome.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * A member that receives the outcome of its ending, whichever it was.
 *
 * @param <R> what it is answered
 */
public abstract class OutcomeMember<R extends @Nullable Object> extends Member<R> {

  private final CollapserRuntime runtime;
  private final long startNanos;

  /** Written by the thread that settles it, read by the thread that delivers. */
  private @Nullable Outcome<R> outcome;

  /** One that is about to enter: its latency begins. */
  protected OutcomeMember(BatchDoor<?, R> door) {
    this.runtime = door.runtime();
    this.startNanos = runtime.now();
  }

  /** It has ended: shows it to threads that wait, perhaps for a second time. Runs no user code. */
  protected void seen(Outcome<R> ended) {}

  /** It has ended, and is received. Called once, unless its own side left. */
  protected abstract void onOutcome(Outcome<R> ended);

  @Override
  protected void published(@Nullable R value, @Nullable Throwable error) {
    Outcome<R> ended = outcome(value, error, batchOutcome());
    outcome = ended;
    seen(ended);
  }

  @Override
  public final void onValue(R value) {
    onOutcome(ended(value, null));
  }

  @Override
  public final void onError(Throwable error) {
    onOutcome(ended(null, error));
  }

  /** Not once there is an outcome to receive, unless it is known what receives it. */
  @Override
  public boolean runsAgain() {
    return outcome == null;
  }

  /** What was published; made now, if there was no memory for it then. Shown again in any case. */
  private Outcome<R> ended(@Nullable R value, @Nullable Throwable error) {
    Outcome<R> present = outcome;
    if (present == null) {
      outcome = present = outcome(value, error, null);
    }
    seen(present);
    return present;
  }

  private Outcome<R> outcome(
      @Nullable R value, @Nullable Throwable error, @Nullable Outcome<?> batch) {
    return Outcome.ofMember(runtime.key(), value, error, batch, runtime.now() - startNanos);
  }
}
