// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.annotations.internal.declaration.AnswerKind;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.core.Single;
import java.util.concurrent.CompletableFuture;

/** An exception in the way a method of some kind reports it to its caller. */
final class FailedAnswer {

  private FailedAnswer() {}

  /** Throws it if the method returns values. */
  static Object of(AnswerKind kind, RuntimeException thrown) {
    return switch (kind) {
      case VALUE -> throw thrown;
      case FUTURE, STAGE -> CompletableFuture.failedFuture(thrown);
      case SINGLE -> Single.error(thrown);
      case MAYBE -> Maybe.error(thrown);
      case COMPLETABLE -> Completable.error(thrown);
      case FLOWABLE -> Flowable.error(thrown);
      case OBSERVABLE -> Observable.error(thrown);
      case MONO -> MonoDoor.failed(thrown);
      case FLUX -> FluxStreams.failed(thrown);
      case FLOW -> CoroutineStreams.failed(thrown);
    };
  }
}
