// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.RequestContext;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.hystrix.strategy.concurrency.HystrixConcurrencyStrategy;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What the request cache has of one command or collapser. */
public final class HystrixRequestCache {

  private final String key;
  private final BiConsumer<KnownKeys, String> removal;

  private HystrixRequestCache(String key, BiConsumer<KnownKeys, String> removal) {
    this.key = key;
    this.removal = removal;
  }

  /** That of a command. */
  public static HystrixRequestCache getInstance(
      HystrixCommandKey key, HystrixConcurrencyStrategy strategy) {
    return new HystrixRequestCache(
        key.name(),
        (keys, cacheKey) -> {
          KnownCommand known = keys.commands.get(key.name());
          if (known != null) {
            FirstOfRequest.of(known, cacheKey).forget();
            known.single().clearCache(cacheKey);
          }
        });
  }

  /** That of a collapser. */
  public static HystrixRequestCache getInstance(
      HystrixCollapserKey key, HystrixConcurrencyStrategy strategy) {
    return new HystrixRequestCache(
        key.name(),
        (keys, cacheKey) -> {
          KnownCollapser known = keys.collapsers.get(key.name());
          if (known != null) {
            known.collapser.clearCache(cacheKey);
          }
        });
  }

  /**
   * The next execution with this cache key in this thread's request runs anew. Does nothing for
   * null, the key of a command that shares nothing.
   *
   * @throws IllegalStateException if there is a key, and this thread is at no open request
   */
  public void clear(@Nullable String cacheKey) {
    if (cacheKey == null) {
      return;
    }
    if (!HystrixRequestContext.isCurrentThreadInitialized()) {
      throw noRequest(key);
    }
    KnownKeys keys = HystrixTenrec.known();
    RequestContext request = keys.request.get();
    try (Scope scope = request.enter()) {
      removal.accept(keys, cacheKey);
    }
  }

  static IllegalStateException noRequest(String key) {
    return new IllegalStateException(
        "Request caching is not available for "
            + key
            + ": this thread is at no request. Call HystrixRequestContext.initializeContext()"
            + " where the request begins");
  }
}
