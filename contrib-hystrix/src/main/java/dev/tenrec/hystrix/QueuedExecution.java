// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.hystrix.exception.HystrixBadRequestException;
import dev.tenrec.hystrix.exception.HystrixRuntimeException;
import dev.tenrec.hystrix.exception.HystrixRuntimeException.FailureType;
import dev.tenrec.metrics.time.Ticker;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The future of one execution. Its command knows its ending, and the plugins have heard of it,
 * before a thread gets the answer here.
 *
 * @param <R> what it answers
 */
final class QueuedExecution<R extends @Nullable Object> implements Future<R> {

  private final HystrixCommand<R> command;
  private final CompletableFuture<Outcome<@Nullable Object>> outcome;

  QueuedExecution(HystrixCommand<R> command, CompletableFuture<Outcome<@Nullable Object>> outcome) {
    this.command = command;
    this.outcome = outcome;
  }

  /** What is known already, and is no failure of the work's, is thrown where it was queued. */
  void throwIfRefused() {
    if (outcome.isCancelled() || outcome.isCompletedExceptionally()) {
      return;
    }
    Throwable known = command.settle(outcome.join()).failure();
    if (known == null) {
      return;
    }
    Throwable failure = command.isExecutedInThread() ? known : HystrixCommand.unwrapped(known);
    if (failure instanceof HystrixRuntimeException refusal) {
      if (refusal.getFailureType() != FailureType.COMMAND_EXCEPTION
          && refusal.getFailureType() != FailureType.TIMEOUT) {
        throw refusal;
      }
    } else if (!(failure instanceof HystrixBadRequestException)) {
      throw Failures.thrown(failure);
    }
  }

  @Override
  public R get() throws InterruptedException, ExecutionException {
    Outcome<@Nullable Object> ended = outcome.get();
    ExecutionResult settled = command.settle(ended);
    boolean unused = command.awaitPlugins(Long.MAX_VALUE);
    return answer(settled, ended);
  }

  @Override
  public R get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    long beginNanos = Ticker.system().nanoTime();
    Outcome<@Nullable Object> ended = outcome.get(timeout, unit);
    ExecutionResult settled = command.settle(ended);
    long tookNanos = Ticker.system().nanoTime() - beginNanos;
    if (!command.awaitPlugins(Math.max(0, unit.toNanos(timeout)) - tookNanos)) {
      throw new TimeoutException();
    }
    return answer(settled, ended);
  }

  private R answer(ExecutionResult settled, Outcome<@Nullable Object> ended)
      throws ExecutionException {
    Throwable failure = settled.failure();
    if (failure != null) {
      throw new ExecutionException(failure);
    }
    return command.answerOf(ended);
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    if (outcome.isDone()) {
      return false;
    }
    command.isGivenUp();
    return outcome.cancel(mayInterruptIfRunning);
  }

  @Override
  public boolean isCancelled() {
    return outcome.isCancelled();
  }

  @Override
  public boolean isDone() {
    return outcome.isDone();
  }
}
