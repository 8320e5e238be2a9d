// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import java.util.concurrent.CancellationException;
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

  /** Set before the answer is cancelled by this: another end of its kind is a failure. */
  private volatile boolean cancelled;

  CollapsedFuture(String collapserKey, Future<@Nullable Object> answer) {
    this.collapserKey = collapserKey;
    this.answer = answer;
  }

  @Override
  public R get() throws InterruptedException, ExecutionException {
    try {
      return one(answer.get());
    } catch (CancellationException givenUp) {
      throw failure(givenUp);
    }
  }

  @Override
  public R get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    try {
      return one(answer.get(timeout, unit));
    } catch (CancellationException givenUp) {
      throw failure(givenUp);
    }
  }

  /** Hystrix's callers know a failure, where it was not they who cancelled. */
  private ExecutionException failure(CancellationException givenUp) {
    if (cancelled) {
      throw givenUp;
    }
    return new ExecutionException(
        new IllegalStateException(
            "A call of "
                + collapserKey
                + " was given up, as where its request ends before its batch begins",
            givenUp));
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
    if (answer.isDone()) {
      return isCancelled();
    }
    cancelled = true;
    return answer.cancel(mayInterruptIfRunning);
  }

  @Override
  public boolean isCancelled() {
    return cancelled && answer.isCancelled();
  }

  @Override
  public boolean isDone() {
    return answer.isDone();
  }
}
