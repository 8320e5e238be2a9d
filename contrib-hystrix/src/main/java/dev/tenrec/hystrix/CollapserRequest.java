// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.work.BatchResult;
import dev.tenrec.hystrix.HystrixCollapser.CollapsedRequest;
import org.jspecify.annotations.Nullable;

/**
 * One argument of a batch, to be answered once. Thread-safe.
 *
 * @param <R> what it is answered
 * @param <A> what it asks with
 */
final class CollapserRequest<R extends @Nullable Object, A extends @Nullable Object>
    implements CollapsedRequest<R, A> {

  private final CollapserCall call;

  // all under this object's lock
  private boolean answered;
  private @Nullable R response;
  private @Nullable Throwable error;

  CollapserRequest(CollapserCall call) {
    this.call = call;
  }

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // what getRequestArgument of this collapser returned
  public A getArgument() {
    return (A) call.argument;
  }

  @Override
  public synchronized void setResponse(R given) {
    answerOnce();
    response = given;
  }

  @Override
  public void emitResponse(R given) {
    setResponse(given);
  }

  @Override
  public synchronized void setException(Exception exception) {
    answerOnce();
    error = exception;
  }

  @Override
  public synchronized void setComplete() {
    answered = true;
  }

  private void answerOnce() {
    if (answered) {
      throw new IllegalStateException(
          "the request for "
              + call
              + " of "
              + call.collapser.getCollapserKey().name()
              + " has been answered before");
    }
    answered = true;
  }

  synchronized void failIfOpen(Throwable why) {
    if (!answered) {
      answered = true;
      error = why;
    }
  }

  @SuppressWarnings("NullAway") // null is an answer, too
  synchronized void addTo(BatchResult<CollapserCall, @Nullable Object> result) {
    if (error != null) {
      result.failed(call, error);
    } else if (answered) {
      result.answered(call, response);
    } else {
      result.failed(
          call,
          new IllegalStateException(
              call.collapser.getClass().getName() + ".shardRequests left out " + call));
    }
  }
}
