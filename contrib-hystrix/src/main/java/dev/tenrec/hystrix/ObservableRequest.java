// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.hystrix.HystrixCollapser.CollapsedRequest;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.subjects.ReplaySubject;
import io.reactivex.rxjava3.subjects.Subject;
import org.jspecify.annotations.Nullable;

/**
 * One argument of a batch that brings items. Thread-safe: items are handed on one after the other,
 * and nothing after the end.
 *
 * @param <R> one item
 * @param <A> what it asks with
 */
final class ObservableRequest<R, A extends @Nullable Object> implements CollapsedRequest<R, A> {

  private final CollapserCall call;
  private final Subject<R> items = ReplaySubject.<R>create().toSerialized();

  /** Under this object's lock. */
  private boolean ended;

  ObservableRequest(CollapserCall call) {
    this.call = call;
  }

  /** What came so far, and what comes. */
  Observable<R> items() {
    return items;
  }

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // what getRequestArgument of this collapser returned
  public A getArgument() {
    return (A) call.argument;
  }

  /** The one item, and the end. */
  @Override
  public void setResponse(R response) {
    end(true);
    items.onNext(response);
    items.onComplete();
  }

  @Override
  public void emitResponse(R response) {
    end(false);
    items.onNext(response);
  }

  @Override
  public void setException(Exception exception) {
    end(true);
    items.onError(exception);
  }

  @Override
  public void setComplete() {
    if (endsNow()) {
      items.onComplete();
    }
  }

  void failIfOpen(Throwable error) {
    if (endsNow()) {
      items.onError(error);
    }
  }

  private synchronized boolean endsNow() {
    boolean endsNow = !ended;
    ended = true;
    return endsNow;
  }

  private synchronized void end(boolean now) {
    if (ended) {
      throw new IllegalStateException("the request for " + call + " has been answered before");
    }
    ended = now;
  }

  @Override
  public String toString() {
    return call.toString();
  }
}
