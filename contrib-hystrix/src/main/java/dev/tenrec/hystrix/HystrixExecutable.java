// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import io.reactivex.rxjava3.core.Observable;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * What can be executed for one answer.
 *
 * @param <R> what it answers
 */
public interface HystrixExecutable<R extends @Nullable Object> extends HystrixInvokable<R> {

  /** Executes it and waits for the answer. */
  R execute();

  /** Executes it without waiting for work that runs elsewhere. */
  Future<R> queue();

  /** Executes it now, and replays what comes to each subscriber. */
  Observable<R> observe();
}
