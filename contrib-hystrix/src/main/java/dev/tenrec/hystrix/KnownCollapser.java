// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.CollapserBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.config.Property;
import org.jspecify.annotations.Nullable;

/** One collapser key, and the collapser of Tenrec's that it became. */
final class KnownCollapser {

  /** More than there can be commands in flight; permits are taken back one by one at the close. */
  private static final int MOST_BATCHES = 100_000;

  final Collapser<CollapserCall, @Nullable Object> collapser;
  final HystrixCollapserMetrics metrics;

  /**
   * Makes it. Its batches only start what the user's batch command does, which has its own
   * isolation, time-out and circuit. A batch is made by its first call's instance.
   */
  KnownCollapser(
      KnownKeys keys,
      HystrixCollapserKey key,
      boolean isGlobal,
      HystrixCollapserProperties.@Nullable Setter properties) {
    CollapserBuilder<CollapserCall, @Nullable Object> builder =
        keys.tenrec
            .<CollapserCall, @Nullable Object>asyncCollapser(
                key.name(), calls -> calls.get(0).startBatch(calls))
            .isolation(Isolation.semaphore(MOST_BATCHES))
            .withoutTimeout()
            .withoutCircuitBreaker()
            .cacheKey(CollapserCall::cacheKey);
    if (properties != null) {
      properties
          .properties()
          .each(
              new SetProperties.Taker() {
                @Override
                public <T> void take(Property<T> property, T value) {
                  CollapserBuilder<?, ?> unused = builder.set(property, value);
                }
              });
    }
    if (isGlobal) {
      builder.globalScope();
    }
    this.collapser = builder.build();
    this.metrics = new HystrixCollapserMetrics(key, collapser.view());
  }
}
