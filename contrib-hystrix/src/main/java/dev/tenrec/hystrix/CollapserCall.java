// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.hystrix.strategy.HystrixPlugins;
import dev.tenrec.hystrix.strategy.concurrency.HystrixConcurrencyStrategy;
import dev.tenrec.hystrix.strategy.concurrency.HystrixConcurrencyStrategyDefault;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One call of a collapser, made at the request of its thread. Equal to others with an equal
 * argument.
 */
final class CollapserCall {

  /** Starts a batch of calls, this one being the first, and has their answers. */
  @FunctionalInterface
  interface Starter {
    CompletionStage<Map<CollapserCall, @Nullable Object>> start(List<CollapserCall> calls);
  }

  private final Starter starter;
  final @Nullable Object argument;
  private final @Nullable HystrixRequestContext request;
  private final @Nullable String cacheKey;

  /** For the batch, of which it may be the first; null where no strategy is registered. */
  private final @Nullable CarriedCode carried;

  CollapserCall(Starter starter, @Nullable Object argument, @Nullable String cacheKey) {
    this.starter = starter;
    this.argument = argument;
    this.request = HystrixRequestContext.getContextForCurrentThread();
    this.cacheKey = cacheKey;
    HystrixConcurrencyStrategy strategy = HystrixPlugins.getInstance().getConcurrencyStrategy();
    this.carried =
        strategy == HystrixConcurrencyStrategyDefault.getInstance()
            ? null
            : new CarriedCode(strategy);
  }

  /**
   * The batch of these calls, of which this is the first, at the request of this one and within
   * what the strategy captured of its thread.
   *
   * @throws Exception what the strategy's wrapper throws
   */
  CompletionStage<Map<CollapserCall, @Nullable Object>> startBatch(List<CollapserCall> calls)
      throws Exception {
    HystrixRequestContext before = enterRequest();
    try {
      return carried == null ? starter.start(calls) : carried.run(() -> starter.start(calls));
    } finally {
      HystrixRequestContext.setContextOnCurrentThread(before);
    }
  }

  /** Runs an observer's code at the request of this call, if it is of one. */
  void atRequest(Runnable code) {
    HystrixRequestContext before = enterRequest();
    try {
      code.run();
    } finally {
      HystrixRequestContext.setContextOnCurrentThread(before);
    }
  }

  private @Nullable HystrixRequestContext enterRequest() {
    HystrixRequestContext before = HystrixRequestContext.getContextForCurrentThread();
    HystrixRequestContext.setContextOnCurrentThread(request);
    return before;
  }

  @Nullable String cacheKey() {
    return cacheKey;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CollapserCall that && Objects.equals(argument, that.argument);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(argument);
  }

  @Override
  public String toString() {
    return String.valueOf(argument);
  }
}
