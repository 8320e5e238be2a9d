// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.consumer;

import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.retry.Retry;
import java.time.Duration;

/** Whether a consumer's command makes further attempts, and what bounds them. */
public enum Strategy {
  /** One attempt for each call. */
  NONE("no retry", 0, 0) {
    @Override
    <A, R> CommandBuilder<A, R> apply(CommandBuilder<A, R> builder, Duration attempt) {
      return builder;
    }
  },

  /** Three attempts, on the largest budget there is, which is more than the experiments ask for. */
  UNBOUNDED("retries, budget never refuses", 100, 1_000) {
    @Override
    <A, R> CommandBuilder<A, R> apply(CommandBuilder<A, R> builder, Duration attempt) {
      return builder.retry(retry(this));
    }
  },

  /** The same three attempts, on the default budget. */
  BUDGETED("retries on a budget", 20, 3) {
    @Override
    <A, R> CommandBuilder<A, R> apply(CommandBuilder<A, R> builder, Duration attempt) {
      return builder.retry(retry(this));
    }
  },

  /** A second attempt beside one that is slow, on the default budget. */
  HEDGED("hedges", 5, 1) {
    @Override
    <A, R> CommandBuilder<A, R> apply(CommandBuilder<A, R> builder, Duration attempt) {
      return builder.hedge(
          Hedge.after(attempt.dividedBy(HEDGE_AFTER)).budget(percent(), perSecond()));
    }
  };

  /** A hedge begins when an attempt is out for a fifth of the time that it may take. */
  private static final int HEDGE_AFTER = 5;

  private final String label;
  private final int percent;
  private final int perSecond;

  Strategy(String label, int percent, int perSecond) {
    this.label = label;
    this.percent = percent;
    this.perSecond = perSecond;
  }

  /** With what this strategy adds; {@code attempt} is how long one attempt may take. */
  abstract <A, R> CommandBuilder<A, R> apply(CommandBuilder<A, R> builder, Duration attempt);

  /** With the default delays. */
  private static Retry retry(Strategy strategy) {
    return Retry.attempts(3).budget(strategy.percent, strategy.perSecond);
  }

  /** For people. */
  public String label() {
    return label;
  }

  /** Its budget: further attempts for a hundred calls. */
  public int percent() {
    return percent;
  }

  /** Its budget: further attempts in a second besides. */
  public int perSecond() {
    return perSecond;
  }
}
