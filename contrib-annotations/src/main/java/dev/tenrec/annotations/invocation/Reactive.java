// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.invocation;

import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.core.Single;

/** What all reactive types have in common. */
final class Reactive {

  private Reactive() {}

  /** The same, and {@code then} when a subscription of it has succeeded. */
  static Object afterSuccess(Object answer, Runnable then) {
    if (answer instanceof Single<?> single) {
      return single.doOnSuccess(value -> then.run());
    }
    if (answer instanceof Maybe<?> maybe) {
      return maybe.doOnSuccess(value -> then.run()).doOnComplete(then::run);
    }
    if (answer instanceof Completable completable) {
      return completable.doOnComplete(then::run);
    }
    if (answer instanceof Flowable<?> flowable) {
      return flowable.doOnComplete(then::run);
    }
    if (answer instanceof Observable<?> observable) {
      return observable.doOnComplete(then::run);
    }
    return MonoDoor.afterSuccess(answer, then);
  }
}
