// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One call of a collapser. Equal to others with an equal argument. */
final class CollapserCall {

  final HystrixCollapser<?, ?, ?> collapser;
  final @Nullable Object argument;
  final @Nullable HystrixRequestContext request;
  private final @Nullable String cacheKey;

  CollapserCall(
      HystrixCollapser<?, ?, ?> collapser,
      @Nullable Object argument,
      @Nullable HystrixRequestContext request,
      @Nullable String cacheKey) {
    this.collapser = collapser;
    this.argument = argument;
    this.request = request;
    this.cacheKey = cacheKey;
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
