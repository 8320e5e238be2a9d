// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.core.RequestContext;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.core.Single;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What all reactive types have in common. */
final class Reactive {

  private Reactive() {}

  /**
   * A reactive value like {@code answer}. Each subscription first asks {@code begin} what is to be
   * done when it has succeeded.
   *
   * @param begin given the request of the subscriber's context, if it has one
   */
  static Object eachWith(Object answer, Function<@Nullable RequestContext, Runnable> begin) {
    if (answer instanceof Single<?> single) {
      return Single.defer(() -> afterSuccess(single, begin.apply(null)));
    }
    if (answer instanceof Maybe<?> maybe) {
      return Maybe.defer(() -> afterSuccess(maybe, begin.apply(null)));
    }
    if (answer instanceof Completable completable) {
      return Completable.defer(() -> completable.doOnComplete(begin.apply(null)::run));
    }
    if (answer instanceof Flowable<?> flowable) {
      return Flowable.defer(() -> flowable.doOnComplete(begin.apply(null)::run));
    }
    if (answer instanceof Observable<?> observable) {
      return Observable.defer(() -> observable.doOnComplete(begin.apply(null)::run));
    }
    return MonoDoor.eachWith(answer, begin);
  }

  /**
   * A reactive value like {@code answer}. Each subscription first runs {@code check} on its thread,
   * and ends in what that throws.
   */
  static Object checked(Object answer, Runnable check) {
    if (answer instanceof Single<?> single) {
      return Single.defer(() -> checked(check, single));
    }
    if (answer instanceof Maybe<?> maybe) {
      return Maybe.defer(() -> checked(check, maybe));
    }
    if (answer instanceof Completable completable) {
      return Completable.defer(() -> checked(check, completable));
    }
    if (answer instanceof Flowable<?> flowable) {
      return Flowable.defer(() -> checked(check, flowable));
    }
    if (answer instanceof Observable<?> observable) {
      return Observable.defer(() -> checked(check, observable));
    }
    return MonoDoor.checked(answer, check);
  }

  private static <T> T checked(Runnable check, T answer) {
    check.run();
    return answer;
  }

  private static <T> Single<T> afterSuccess(Single<T> single, Runnable then) {
    return single.doOnSuccess(value -> then.run());
  }

  private static <T> Maybe<T> afterSuccess(Maybe<T> maybe, Runnable then) {
    return maybe.doOnSuccess(value -> then.run()).doOnComplete(then::run);
  }
}
