// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.annotations.internal.declaration.AnswerKind;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.StreamCommandBuilder;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.work.StreamFallback;
import dev.tenrec.core.work.StreamWork;
import io.reactivex.rxjava3.core.BackpressureStrategy;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Observable;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** A method that returns a stream of items: one execution per subscription. */
final class StreamMethod implements GuardedMethod {

  private final AnswerKind kind;
  private final StreamCommand<MethodInvocation, Object> command;
  private final boolean suspends;
  private final Transactions transactions;
  private final boolean checksTransactions;

  StreamMethod(
      AnswerKind kind,
      StreamCommand<MethodInvocation, Object> command,
      boolean suspends,
      Transactions transactions) {
    this.kind = kind;
    this.command = command;
    this.suspends = suspends;
    this.transactions = transactions;
    this.checksTransactions = transactions.areManaged();
  }

  /** Starts the command's description. */
  static StreamCommandBuilder<MethodInvocation, Object> describe(
      Tenrec tenrec, String key, AnswerKind kind, @Nullable FallbackAnswer answer) {
    StreamWork<MethodInvocation, Object> work =
        call -> items(kind, call, Proceeding.on(ProxiedCall.of(call)));
    StreamCommandBuilder<MethodInvocation, Object> builder = tenrec.streamCommand(key, work);
    if (answer == null) {
      return builder;
    }
    StreamFallback<MethodInvocation, Object> fallback =
        (call, cause) -> {
          Object answered = answer.apply(call, cause);
          return answered instanceof Substitute substitute
              ? kind == AnswerKind.FLUX
                  ? FluxStreams.substituted(call, substitute)
                  : items(kind, call, substitute.answer())
              : answered == null ? Flowable.empty() : Flowable.just(answered);
        };
    return builder.fallback(fallback);
  }

  @SuppressWarnings("unchecked") // an Object can be had from each
  private static Publisher<Object> items(
      AnswerKind kind, MethodInvocation call, @Nullable Object returned) {
    if (returned == null) {
      throw new NullPointerException("the method returned null, a " + kind + " was expected");
    }
    return switch (kind) {
      case OBSERVABLE -> ((Observable<Object>) returned).toFlowable(BackpressureStrategy.BUFFER);
      case FLUX -> FluxStreams.items(call, (Publisher<Object>) returned);
      case FLOW -> CoroutineStreams.items(call, returned);
      default -> (Publisher<Object>) returned;
    };
  }

  @Override
  public boolean isClosed() {
    return command.isClosed();
  }

  @Override
  public Object call(MethodInvocation invocation) {
    AdviceRefusals.expectCopies(invocation);
    Object stream = stream(invocation);
    return checksTransactions ? Reactive.checked(stream, this::checkTransaction) : stream;
  }

  private void checkTransaction() {
    transactions.check(command.key(), command.isolation());
  }

  private Object stream(MethodInvocation invocation) {
    if (kind == AnswerKind.FLUX) {
      return suspends
          ? FluxStreams.ofSuspending(command, invocation)
          : FluxStreams.of(command, invocation);
    }
    if (kind == AnswerKind.FLOW) {
      return CoroutineStreams.of(command, invocation);
    }
    Flowable<Object> items = Flowable.defer(() -> command.toFlowable(Proceeding.copy(invocation)));
    return kind == AnswerKind.OBSERVABLE ? items.toObservable() : items;
  }
}
