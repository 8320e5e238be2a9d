// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.work.BatchResult;
import dev.tenrec.hystrix.HystrixCollapser.CollapsedRequest;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
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
    calls.forEach(call -> requests.add(new CollapserRequest<>(call)));
  }

  /** Starts the batch of these calls: by the first of them, at its request if it is of one. */
  static CompletionStage<Map<CollapserCall, @Nullable Object>> start(List<CollapserCall> calls) {
    CollapserCall first = calls.get(0);
    return new CollapserBatch<>(first.collapser, calls).startAt(first.request);
  }

  private CompletionStage<Map<CollapserCall, @Nullable Object>> startAt(
      @Nullable HystrixRequestContext request) {
    HystrixRequestContext before = HystrixRequestContext.getContextForCurrentThread();
    HystrixRequestContext.setContextOnCurrentThread(request);
    try {
      Collection<Collection<CollapsedRequest<R, A>>> shards =
          collapser.shardRequests(Collections.unmodifiableList(requests));
      shards.forEach(this::startShard);
    } catch (Throwable thrown) { // all that no shard has answers for
      unanswered(requests, thrown);
    } finally {
      HystrixRequestContext.setContextOnCurrentThread(before);
    }
    shardEnded();
    return answers;
  }

  private void startShard(Collection<CollapsedRequest<R, A>> shard) {
    int unused = open.incrementAndGet();
    try {
      HystrixCommand<B> command = collapser.createCommand(shard);
      if (command == null) {
        throw new IllegalStateException(
            collapser.getClass().getName() + ".createCommand returned null");
      }
      command.collapses(collapser.getCollapserKey(), shard.size());
      AtomicReference<@Nullable B> answer = new AtomicReference<>();
      var subscription =
          command
              .toObservable()
              .subscribe(
                  answer::set,
                  error -> {
                    unanswered(shard, error);
                    shardEnded();
                  },
                  () -> {
                    map(answer.get(), shard);
                    shardEnded();
                  });
    } catch (Throwable thrown) { // the user's createCommand
      unanswered(shard, thrown);
      shardEnded();
    }
  }

  @SuppressWarnings("NullAway") // null is an answer of the batch command's, too
  private void map(@Nullable B answer, Collection<CollapsedRequest<R, A>> shard) {
    try {
      collapser.mapResponseToRequests(answer, shard);
    } catch (Throwable thrown) { // the user's
      unanswered(shard, thrown);
    }
    unanswered(
        shard,
        new IllegalStateException(
            "No response set by "
                + collapser.getCollapserKey().name()
                + " 'mapResponseToRequests' implementation."));
  }

  private static void unanswered(
      Collection<? extends CollapsedRequest<?, ?>> requests, Throwable error) {
    for (CollapsedRequest<?, ?> request : requests) {
      if (request instanceof CollapserRequest<?, ?> ours) {
        ours.failIfOpen(error);
      }
    }
  }

  private void shardEnded() {
    if (open.decrementAndGet() > 0) {
      return;
    }
    BatchResult<CollapserCall, @Nullable Object> result = BatchResult.empty();
    for (CollapserRequest<R, A> request : requests) {
      request.addTo(result);
    }
    boolean unused = answers.complete(result);
  }
}
