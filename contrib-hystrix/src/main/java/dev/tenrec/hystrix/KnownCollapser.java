// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.CollapserBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.config.CollapserProperties;
import dev.tenrec.core.config.Property;
import org.jspecify.annotations.Nullable;

/** One collapser key, and the collapser of Tenrec's that it became. */
final class KnownCollapser {

  /** More than there can be commands in flight; permits are taken back one by one at the close. */
  private static final int MOST_BATCHES = 100_000;

  /** At the end of the key of what starts the batches. */
  private static final String BATCHES = " (batches of the collapser)";

  private final KnownKeys keys;
  private final String key;
  final Collapser<CollapserCall, @Nullable Object> collapser;
  final HystrixCollapserMetrics metrics;

  /**
   * Makes it. Its batches only start what the user's batch command does, which has its own
   * isolation, time-out and circuit. A batch is made by its first call's instance. What starts them
   * has a key of its own, because a command of the user's may have the collapser's.
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
            .batchKey(key.name() + BATCHES)
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
    this.keys = keys;
    this.key = key.name();
    this.collapser = builder.build();
    this.metrics = new HystrixCollapserMetrics(key, collapser.view());
  }

  /** Whether equal calls of one request share answers now. */
  boolean isCaching() {
    return !Boolean.FALSE.equals(
        keys.tenrec.setting(CollapserProperties.REQUEST_CACHE_ENABLED, key));
  }
}
