// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.work.BatchResult;
import dev.tenrec.hystrix.HystrixCollapser.CollapsedRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One batch: the user's command for each of its shards, and the answers that are made of theirs.
 * Thread-safe: shards end on threads of their own.
 *
 * @param <B> what the batch command answers
 * @param <R> what one call is answered
 * @param <A> what one call asks with
 */
final class CollapserBatch<
    B extends @Nullable Object, R extends @Nullable Object, A extends @Nullable Object> {

  private final HystrixCollapser<B, R, A> collapser;
  private final List<CollapserRequest<R, A>> requests = new ArrayList<>();
  private final CompletableFuture<Map<CollapserCall, @Nullable Object>> answers =
      new CompletableFuture<>();

  /** Shards that have not ended, and one for the loop that starts them. */
  private final AtomicInteger open = new AtomicInteger(1);

  private CollapserBatch(HystrixCollapser<B, R, A> collapser, List<CollapserCall> calls) {
    this.collapser = collapser;
    calls.forEach(call -> requests.add(new CollapserRequest<>(call, collapser)));
  }

  /** Starts the batch of these calls. */
  static <B extends @Nullable Object, R extends @Nullable Object, A extends @Nullable Object>
      CompletionStage<Map<CollapserCall, @Nullable Object>> start(
          HystrixCollapser<B, R, A> collapser, List<CollapserCall> calls) {
    return new CollapserBatch<>(collapser, calls).start();
  }

  private CompletionStage<Map<CollapserCall, @Nullable Object>> start() {
    boolean isDivided = false;
    try {
      List<Shard<R, A>> shards =
          Shard.read(collapser, collapser.shardRequests(Collections.unmodifiableList(requests)));
      isDivided = shards.size() > 1;
      shards.forEach(this::startShard);
    } catch (Throwable thrown) { // the user's shardRequests, or what it returned
      fail(requests, thrown);
    } finally {
      shardEnded();
    }
    return isDivided ? answersOfShards() : answers;
  }

  /** So no call waits for a shard that is not its own. */
  private CompletionStage<Map<CollapserCall, @Nullable Object>> answersOfShards() {
    BatchResult<CollapserCall, @Nullable Object> result = BatchResult.empty();
    requests.forEach(request -> request.addAnswerTo(result));
    return CompletableFuture.completedFuture(result);
  }

  private void startShard(Shard<R, A> shard) {
    int unused = open.incrementAndGet();
    AtomicBoolean ended = new AtomicBoolean(); // by its observer, or because it has none
    try {
      HystrixCommand<B> command = collapser.createCommand(shard.given());
      if (command == null) {
        throw new IllegalStateException(
            collapser.getClass().getName() + ".createCommand returned null");
      }
      command.collapses(collapser.getCollapserKey(), shard.requests().size());
      AtomicReference<@Nullable B> answer = new AtomicReference<>();
      var subscription =
          command
              .toObservable()
              .subscribe(
                  answer::set,
                  error -> shardFailed(shard, ended, error),
                  () -> {
                    map(answer.get(), shard);
                    shardEnded(shard, ended);
                  });
    } catch (Throwable thrown) { // the user's createCommand, or what the command overrides
      shardFailed(shard, ended, thrown);
    }
  }

  private void shardFailed(Shard<R, A> shard, AtomicBoolean ended, Throwable error) {
    fail(shard.requests(), error);
    shardEnded(shard, ended);
  }

  private void shardEnded(Shard<R, A> shard, AtomicBoolean ended) {
    if (ended.compareAndSet(false, true)) {
      each(shard.requests(), CollapserRequest::answerNow);
      shardEnded();
    }
  }

  @SuppressWarnings("NullAway") // null is an answer of the batch command's, too
  private void map(@Nullable B answer, Shard<R, A> shard) {
    try {
      collapser.mapResponseToRequests(answer, shard.given());
    } catch (Throwable thrown) { // the user's
      fail(
          shard.requests(),
          thrown instanceof Exception
              ? thrown
              : new RuntimeException(
                  "Throwable caught while executing batch and mapping responses.", thrown));
    }
    IllegalStateException noResponse =
        new IllegalStateException(
            "No response set by "
                + collapser.keyName()
                + " 'mapResponseToRequests' implementation.");
    each(shard.requests(), request -> request.isMapped(noResponse));
  }

  /** Those that have not ended. */
  private static void fail(Collection<? extends CollapsedRequest<?, ?>> requests, Throwable error) {
    each(requests, request -> request.failIfOpen(error));
  }

  private static void each(
      Collection<? extends CollapsedRequest<?, ?>> requests, Consumer<CollapserRequest<?, ?>> use) {
    for (CollapsedRequest<?, ?> request : requests) {
      if (request instanceof CollapserRequest<?, ?> ours) {
        use.accept(ours);
      }
    }
  }

  private void shardEnded() {
    if (open.decrementAndGet() > 0) {
      return;
    }
    requests.forEach(CollapserRequest::answerNow); // those that are in no shard
    try {
      BatchResult<CollapserCall, @Nullable Object> result = BatchResult.empty();
      requests.forEach(request -> request.addTo(result));
      boolean unused = answers.complete(result);
    } catch (Throwable thrown) { // the user's hashCode of an argument, or its equals
      boolean unused = answers.completeExceptionally(thrown);
    }
  }
}
