// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.context.ContextPropagator;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What an instance says of its collapser, of either kind, and the way to it. */
final class CollapserDoor {

  final HystrixCollapserKey key;

  /** Whether all calls of this process share batches. */
  private final boolean isGlobal;

  private final HystrixCollapserProperties.@Nullable Setter properties;

  /**
   * As an instance says.
   *
   * @param type whose simple name is the key if there is none
   */
  CollapserDoor(
      Class<?> type,
      @Nullable HystrixCollapserKey key,
      boolean isGlobal,
      HystrixCollapserProperties.@Nullable Setter properties) {
    this.key =
        key != null && !key.name().isBlank()
            ? key
            : HystrixCollapserKey.Factory.asKey(CommandDescription.nameOf(type));
    this.isGlobal = isGlobal;
    this.properties = properties;
  }

  /** With the collapser, within the Tenrec's request if there is one. */
  <T extends @Nullable Object> T enter(
      CollapserCall call, Function<Collapser<CollapserCall, @Nullable Object>, T> use) {
    KnownKeys keys = HystrixTenrec.known();
    KnownCollapser known =
        keys.collapser(key.name(), () -> new KnownCollapser(keys, key, isGlobal, properties));
    if (!HystrixRequestContext.isCurrentThreadInitialized()) {
      if (!isGlobal || call.cacheKey() != null) {
        throw HystrixRequestCache.noRequest(key.name());
      }
      return use.apply(known.collapser);
    }
    try (ContextPropagator.Scope entered = keys.request.get().enter()) {
      return use.apply(known.collapser);
    }
  }
}
