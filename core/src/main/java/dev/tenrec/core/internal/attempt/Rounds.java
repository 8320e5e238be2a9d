// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import dev.tenrec.core.internal.call.ExecutionState;
import dev.tenrec.core.internal.call.FurtherAttempts;
import dev.tenrec.core.internal.call.Pipeline;
import dev.tenrec.core.internal.retry.SharedBudget;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.metrics.event.EventType;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The further attempts of a command with a retry and a hedge. A call that may be hedged has its
 * attempts in rounds, each a hedged one, by {@link Hedges}. One that may not, because its hedge is
 * switched off, waits for a percentile, or its caller's thread is busy with it, is retried as
 * without a hedge, by {@link Retries}.
 */
public final class Rounds<A extends @Nullable Object, R extends @Nullable Object>
    implements FurtherAttempts {

  private final Hedges<A, R> hedges;
  private final Retries<A, R> retries;

  private Rounds(Pipeline<A, R> pipeline, RetryRules rules, @Nullable SharedBudget ofHedges) {
    this.hedges = new Hedges<>(pipeline, rules, ofHedges);
    this.retries = new Retries<>(pipeline, rules);
  }

  /**
   * What makes the further attempts of a command that may be hedged.
   *
   * @param retry by which rules another round follows; null for one round only
   * @param ofRetries what retries are drawn on; null for the command's own budget
   * @param ofHedges the same for hedges
   */
  public static <A extends @Nullable Object, R extends @Nullable Object>
      Function<Pipeline<A, R>, FurtherAttempts> by(
          @Nullable Retry retry,
          @Nullable SharedBudget ofRetries,
          @Nullable SharedBudget ofHedges) {
    return retry == null
        ? pipeline -> new Hedges<>(pipeline, null, ofHedges)
        : pipeline ->
            new Rounds<>(pipeline, new RetryRules(pipeline.runtime, retry, ofRetries), ofHedges);
  }

  @Override
  public boolean takes(ExecutionState whole) {
    return hedges.takes(whole) || retries.takes(whole);
  }

  /** A call that is hedged has a part in its attempts, and is none of those of {@link Retries}. */
  @Override
  public boolean goesOn(ExecutionState ended, EventType event, @Nullable Throwable cause) {
    return hedges.goesOn(ended, event, cause) || retries.goesOn(ended, event, cause);
  }

  @Override
  public boolean followRefusals() {
    return retries.followRefusals();
  }

  @Override
  public boolean goesOnHere(ExecutionState whole) {
    return hedges.goesOnHere(whole);
  }

  @Override
  public void awaitHere(ExecutionState whole) {
    retries.awaitHere(whole);
  }

  @Override
  public boolean cancels(ExecutionState whole, Throwable why) {
    return retries.cancels(whole, why);
  }

  @Override
  public boolean outOfTime(ExecutionState whole) {
    return hedges.outOfTime(whole) || retries.outOfTime(whole);
  }
}
