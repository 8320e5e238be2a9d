// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.work.BatchResult;
import dev.tenrec.hystrix.HystrixCollapser.CollapsedRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One argument of a batch, to be answered while it is mapped: once, or item by item. Thread-safe.
 *
 * @param <R> what it is answered
 * @param <A> what it asks with
 */
final class CollapserRequest<R extends @Nullable Object, A extends @Nullable Object>
    implements CollapsedRequest<R, A> {

  private final CollapserCall call;
  private final AbstractCollapser<R> collapser;

  // all under this object's lock
  private boolean ended;
  private boolean hasItem;
  private @Nullable R first;
  private @Nullable List<@Nullable R> items; // all of them, once there are two
  private @Nullable Throwable error;

  /** What its call gets when its own shard has ended, where there are several. */
  final ShardAnswer answer = new ShardAnswer();

  CollapserRequest(CollapserCall call, AbstractCollapser<R> collapser) {
    this.call = call;
    this.collapser = collapser;
  }

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // what getRequestArgument of this collapser returned
  public A getArgument() {
    return (A) call.argument;
  }

  @Override
  public synchronized void setResponse(R given) {
    emitResponse(given);
    ended = true;
  }

  @Override
  public synchronized void emitResponse(R given) {
    mustBeOpen();
    if (!hasItem) {
      hasItem = true;
      first = given;
      return;
    }
    if (items == null) {
      items = new ArrayList<>();
      items.add(first);
    }
    items.add(given);
  }

  @Override
  public synchronized void setException(Exception exception) {
    mustBeOpen();
    ended = true;
    error = exception;
  }

  @Override
  public synchronized void setComplete() {
    ended = true;
  }

  private void mustBeOpen() {
    if (ended) {
      throw new IllegalStateException(
          "the request for " + call + " of " + collapser.keyName() + " has been answered before");
    }
  }

  synchronized void failIfOpen(Throwable why) {
    if (!ended) {
      ended = true;
      error = why;
    }
  }

  /** The mapping is over: what it emitted is all, and nothing at all is a failure. */
  synchronized void isMapped(Throwable noResponse) {
    if (!hasItem) {
      failIfOpen(noResponse);
    }
    ended = true;
  }

  /** An argument that throws fails its own call alone, if its hash code can be had. */
  @SuppressWarnings("NullAway") // null is an answer, too
  void addTo(BatchResult<CollapserCall, @Nullable Object> result) {
    try {
      Throwable failure = failure();
      if (failure != null) {
        result.failed(call, failure);
      } else {
        result.answered(call, value());
      }
    } catch (Throwable thrown) { // the user's equals or toString of an argument
      result.failed(call, thrown);
    }
  }

  /** As {@link #addTo}, before it has ended. */
  void addAnswerTo(BatchResult<CollapserCall, @Nullable Object> result) {
    try {
      result.answered(call, answer);
    } catch (Throwable thrown) { // the user's equals of an argument
      result.failed(call, thrown);
    }
  }

  /** Its shard has ended, or all have. The first time counts. */
  void answerNow() {
    try {
      Throwable failure = failure();
      boolean unused =
          failure != null ? answer.completeExceptionally(failure) : answer.complete(value());
    } catch (Throwable thrown) { // the user's toString of an argument
      boolean unused = answer.completeExceptionally(thrown);
    }
  }

  private synchronized @Nullable Throwable failure() {
    if (!ended) {
      return new IllegalStateException(
          collapser.getClass().getName() + ".shardRequests left out " + call);
    }
    return hasItem ? null : error;
  }

  /** Of one that has ended without a failure, or has items before it. */
  private synchronized @Nullable Object value() {
    if (items == null && error == null) {
      return first;
    }
    List<@Nullable R> all = items != null ? items : Collections.singletonList(first);
    return new Emissions(Collections.unmodifiableList(all), error);
  }
}
