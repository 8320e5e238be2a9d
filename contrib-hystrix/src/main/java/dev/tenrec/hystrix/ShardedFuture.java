// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.metrics.time.Ticker;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The future of a call that may be in one of several shards: then it is done when that has ended,
 * and not when the batch has begun. Thread-safe.
 */
final class ShardedFuture implements Future<@Nullable Object> {

  private final CompletableFuture<@Nullable Object> member;

  /** This call's own, which can be cancelled alone. Under this object's lock. */
  private @Nullable CompletableFuture<@Nullable Object> ofShard;

  ShardedFuture(CompletableFuture<@Nullable Object> member) {
    this.member = member;
  }

  /** What the answer comes by, as far as it is known now. */
  private CompletableFuture<@Nullable Object> now() {
    return member.isDone()
            && !member.isCompletedExceptionally()
            && member.join() instanceof ShardAnswer answer
        ? own(answer)
        : member;
  }

  private synchronized CompletableFuture<@Nullable Object> own(ShardAnswer answer) {
    CompletableFuture<@Nullable Object> present = ofShard;
    if (present == null) {
      ofShard = present = answer.copy();
    }
    return present;
  }

  @Override
  public @Nullable Object get() throws InterruptedException, ExecutionException {
    Object value = member.get();
    return value instanceof ShardAnswer answer ? own(answer).get() : value;
  }

  @Override
  public @Nullable Object get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    long beginNanos = Ticker.system().nanoTime();
    Object value = member.get(timeout, unit);
    if (value instanceof ShardAnswer answer) {
      long tookNanos = Ticker.system().nanoTime() - beginNanos;
      return own(answer).get(unit.toNanos(timeout) - tookNanos, TimeUnit.NANOSECONDS);
    }
    return value;
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return member.cancel(mayInterruptIfRunning) || now().cancel(mayInterruptIfRunning);
  }

  @Override
  public boolean isCancelled() {
    return now().isCancelled();
  }

  @Override
  public boolean isDone() {
    return now().isDone();
  }
}
