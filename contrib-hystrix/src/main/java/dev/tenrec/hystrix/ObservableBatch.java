// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.work.BatchResult;
import dev.tenrec.hystrix.HystrixCollapser.CollapsedRequest;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.functions.Function;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One batch of an observable collapser: the user's command for each of its shards, whose items go
 * to the calls that they belong to. The answer of each call is there at once: an observable.
 *
 * @param <K> by what items belong to calls
 * @param <B> one item of the batch command
 * @param <R> one item of a call
 * @param <A> what one call asks with
 */
final class ObservableBatch<K, B, R, A extends @Nullable Object> {

  private static final Logger LOG = LoggerFactory.getLogger(ObservableBatch.class);

  private final HystrixObservableCollapser<K, B, R, A> collapser;
  private final List<ObservableRequest<R, A>> requests = new ArrayList<>();
  private final BatchResult<CollapserCall, @Nullable Object> answers = BatchResult.empty();

  private ObservableBatch(
      HystrixObservableCollapser<K, B, R, A> collapser, List<CollapserCall> calls) {
    this.collapser = collapser;
    for (CollapserCall call : calls) {
      ObservableRequest<R, A> request = new ObservableRequest<>(call);
      requests.add(request);
      answers.answered(call, request.items());
    }
  }

  /** Starts the batch of these calls. */
  static <K, B, R, A extends @Nullable Object>
      CompletionStage<Map<CollapserCall, @Nullable Object>> start(
          HystrixObservableCollapser<K, B, R, A> collapser, List<CollapserCall> calls) {
    ObservableBatch<K, B, R, A> batch = new ObservableBatch<>(collapser, calls);
    batch.start();
    return CompletableFuture.completedFuture(batch.answers);
  }

  private void start() {
    try {
      List<Shard<R, A>> shards =
          Shard.read(collapser, collapser.shardRequests(Collections.unmodifiableList(requests)));
      Set<CollapsedRequest<R, A>> leftOut = new LinkedHashSet<>(requests);
      for (Shard<R, A> shard : shards) {
        shard.requests().forEach(leftOut::remove);
        startShard(shard);
      }
      if (!leftOut.isEmpty()) {
        fail(
            leftOut,
            new IllegalStateException(
                collapser.getClass().getName() + ".shardRequests left out " + leftOut));
      }
    } catch (Throwable thrown) { // the user's shardRequests, or what it returned
      fail(requests, thrown);
    }
  }

  private void startShard(Shard<R, A> shard) {
    try {
      HystrixObservableCommand<B> command = collapser.createCommand(shard.given());
      if (command == null) {
        throw new IllegalStateException(
            collapser.getClass().getName() + ".createCommand returned null");
      }
      command.collapses(collapser.getCollapserKey(), shard.requests().size());
      distribute(command.toObservable(), shard.requests());
    } catch (Throwable thrown) { // the user's
      fail(shard.requests(), thrown);
    }
  }

  private void distribute(Observable<B> items, List<CollapsedRequest<R, A>> shard)
      throws Throwable {
    Function<A, K> keyOfArgument = collapser.getRequestArgumentKeySelector();
    Function<B, K> keyOfItem = collapser.getBatchReturnTypeKeySelector();
    Function<B, R> response = collapser.getBatchReturnTypeToResponseTypeMapper();
    Map<K, List<CollapsedRequest<R, A>>> byKey = new LinkedHashMap<>();
    for (CollapsedRequest<R, A> request : shard) {
      byKey
          .computeIfAbsent(keyOfArgument.apply(request.getArgument()), key -> new ArrayList<>())
          .add(request);
    }
    Map<K, List<CollapsedRequest<R, A>>> missing = new LinkedHashMap<>(byKey);
    var unused =
        items.subscribe(
            item -> {
              K key = keyOfItem.apply(item);
              List<CollapsedRequest<R, A>> asked = byKey.get(key);
              if (asked == null) {
                LOG.warn(
                    "{}: the batch command brought an item that no call asked for, of the key {}",
                    collapser.keyName(),
                    key);
                return;
              }
              var seen = missing.remove(key);
              for (CollapsedRequest<R, A> request : asked) {
                hand(item, response, request);
              }
            },
            error -> fail(shard, error),
            () -> {
              missing.values().forEach(requests -> requests.forEach(this::noItem));
              shard.forEach(CollapsedRequest::setComplete);
            });
  }

  private void hand(B item, Function<B, R> response, CollapsedRequest<R, A> request) {
    try {
      request.emitResponse(response.apply(item));
    } catch (Throwable thrown) { // the user's
      fail(List.of(request), thrown);
    }
  }

  private void noItem(CollapsedRequest<R, A> request) {
    try {
      collapser.onMissingResponse(request);
    } catch (Throwable thrown) { // the user's
      fail(
          List.of(request),
          new RuntimeException(
              "Error in HystrixObservableCollapser.onMissingResponse handler", thrown));
    }
  }

  /** Those that have not ended. */
  private void fail(Collection<? extends CollapsedRequest<R, A>> requests, Throwable error) {
    for (CollapsedRequest<R, A> request : requests) {
      if (request instanceof ObservableRequest<R, A> ours) {
        ours.failIfOpen(error);
      }
    }
  }
}
