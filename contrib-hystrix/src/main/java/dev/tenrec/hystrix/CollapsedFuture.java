// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The future of one call of a collapser.
 *
 * @param <R> what it is answered
 */
final class CollapsedFuture<R extends @Nullable Object> implements Future<R> {

  private final String collapserKey;
  private final Future<@Nullable Object> answer;

  CollapsedFuture(String collapserKey, Future<@Nullable Object> answer) {
    this.collapserKey = collapserKey;
    this.answer = answer;
  }

  @Override
  public R get() throws InterruptedException, ExecutionException {
    return one(answer.get());
  }

  @Override
  public R get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    return one(answer.get(timeout, unit));
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // what mapResponseToRequests answered, null or not
  private R one(@Nullable Object value) throws ExecutionException {
    if (value instanceof Emissions several) {
      throw new ExecutionException(several.failure(collapserKey));
    }
    return (R) value;
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return answer.cancel(mayInterruptIfRunning);
  }

  @Override
  public boolean isCancelled() {
    return answer.isCancelled();
  }

  @Override
  public boolean isDone() {
    return answer.isDone();
  }
}
