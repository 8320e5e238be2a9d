// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.annotations.internal.declaration.AnswerKind;
import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.work.AsyncCallWork;
import dev.tenrec.core.work.AsyncWork;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.MaybeSource;
import io.reactivex.rxjava3.core.Single;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** For methods that return a Single, a Maybe or a Completable: one execution per subscription. */
final class RxDoor implements Door {

  private final AnswerKind kind;

  RxDoor(AnswerKind kind) {
    this.kind = kind;
  }

  @Override
  public CommandBuilder<MethodInvocation, @Nullable Object> describe(
      Tenrec tenrec, String key, boolean seesCall) {
    if (seesCall) {
      AsyncCallWork<MethodInvocation, @Nullable Object> seeing =
          (invocation, call) -> stage(CurrentCall.around(call, () -> Proceeding.on(invocation)));
      return tenrec.asyncCommand(key, seeing);
    }
    AsyncWork<MethodInvocation, @Nullable Object> work =
        invocation -> stage(Proceeding.on(invocation));
    return tenrec.asyncCommand(key, work);
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // null is how a stage reports no value
  private CompletionStage<@Nullable Object> stage(@Nullable Object returned) {
    if (returned == null) {
      throw new NullPointerException("the method returned null, a " + kind + " was expected");
    }
    return switch (kind) {
      case SINGLE -> ((Single<Object>) returned).toCompletionStage();
      case MAYBE -> ((Maybe<Object>) returned).toCompletionStage(null);
      default -> ((Completable) returned).toCompletionStage(null);
    };
  }

  @Override
  public Object call(
      Command<MethodInvocation, @Nullable Object> command, MethodInvocation invocation) {
    if (kind == AnswerKind.SINGLE) {
      return Single.defer(() -> command.toSingle(Proceeding.copy(invocation)))
          .flatMap(
              value ->
                  value instanceof Substitute substitute
                      ? failingAs((Single<?>) substitute.answer(), substitute.cause())
                      : Single.just(value));
    }
    Maybe<Object> maybe =
        Maybe.defer(() -> command.toMaybe(Proceeding.copy(invocation))).flatMap(RxDoor::followed);
    return kind == AnswerKind.MAYBE ? maybe : maybe.ignoreElement();
  }

  @SuppressWarnings("unchecked") // an Object can be had from each
  private static Single<Object> failingAs(@Nullable Single<?> answer, Throwable cause) {
    return answer == null
        ? Single.error(cause)
        : ((Single<Object>) answer).onErrorResumeNext(failed -> Single.error(cause));
  }

  @SuppressWarnings("unchecked") // an Object can be had from any
  private static MaybeSource<Object> followed(Object value) {
    if (!(value instanceof Substitute substitute)) {
      return Maybe.just(value);
    }
    Maybe<Object> answer =
        substitute.answer() instanceof Completable completable
            ? completable.toMaybe()
            : (Maybe<Object>) substitute.answer();
    return answer == null
        ? Maybe.error(substitute.cause())
        : answer.onErrorResumeNext(failed -> Maybe.error(substitute.cause()));
  }
}
