// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import io.reactivex.rxjava3.core.Observable;
import org.jspecify.annotations.Nullable;

/**
 * What can be observed.
 *
 * @param <R> one item
 */
public interface HystrixObservable<R extends @Nullable Object> extends HystrixInvokable<R> {

  /** Executes it now, and replays what comes to each subscriber. */
  Observable<R> observe();

  /** Executes it when it is subscribed to. */
  Observable<R> toObservable();
}
