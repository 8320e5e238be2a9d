// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.core.work.AsyncCallWork;
import dev.tenrec.core.work.AsyncWork;
import io.reactivex.rxjava3.disposables.Disposable;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.util.context.ContextView;

/**
 * For methods that return a Mono: one execution per subscription, in the subscriber's context.
 * Loaded when such a method is: Reactor may be absent.
 */
final class MonoDoor implements Door {

  @Override
  public CommandBuilder<MethodInvocation, @Nullable Object> describe(
      Tenrec tenrec, String key, boolean seesCall) {
    if (seesCall) {
      AsyncCallWork<MethodInvocation, @Nullable Object> seeing =
          (invocation, call) -> CurrentCall.around(call, () -> start(invocation));
      return tenrec.asyncCommand(key, seeing);
    }
    AsyncWork<MethodInvocation, @Nullable Object> work = MonoDoor::start;
    return tenrec.asyncCommand(key, work);
  }

  @SuppressWarnings("unchecked") // an Object can be had from any
  private static CompletionStage<@Nullable Object> start(MethodInvocation invocation)
      throws Exception {
    Mono<Object> returned = (Mono<Object>) Proceeding.on(ProxiedCall.of(invocation));
    if (returned == null) {
      throw new NullPointerException("the method returned null, a Mono was expected");
    }
    return invocation instanceof ReactorCall subscribed
        ? returned.contextWrite(subscribed.context()).toFuture()
        : returned.toFuture();
  }

  @Override
  public Object call(
      Command<MethodInvocation, @Nullable Object> command, MethodInvocation invocation) {
    return Mono.create(
            (MonoSink<Object> sink) -> {
              ContextView context = sink.contextView();
              ReactorCall call = new ReactorCall(Proceeding.copy(invocation), context);
              Receiver<@Nullable Object> receiver = new ToSink(sink);
              Disposable execution =
                  SubscriberContext.at(context, () -> command.execute(call, receiver));
              sink.onCancel(execution::dispose);
            })
        .flatMap(MonoDoor::followed);
  }

  @SuppressWarnings("unchecked") // an Object can be had from each
  private static Mono<Object> followed(Object value) {
    if (!(value instanceof Substitute substitute)) {
      return Mono.just(value);
    }
    Mono<Object> answer = (Mono<Object>) substitute.answer();
    return answer == null
        ? Mono.error(substitute.cause())
        : answer.onErrorMap(failed -> substitute.cause());
  }

  /** A member of a batch per subscription. */
  static Mono<Object> ofMember(
      Collapser<BatchArgument, @Nullable Object> collapser, BatchArgument asked) {
    return Mono.create(
        (MonoSink<Object> sink) -> {
          Receiver<@Nullable Object> receiver = new ToSink(sink);
          Disposable member =
              SubscriberContext.at(sink.contextView(), () -> collapser.execute(asked, receiver));
          sink.onCancel(member::dispose);
        });
  }

  /** See {@link FailedAnswer}. */
  static Object failed(Throwable thrown) {
    return Mono.error(thrown);
  }

  /** See {@link Reactive#eachWith}. */
  static Object eachWith(Object answer, Function<@Nullable RequestContext, Runnable> begin) {
    if (answer instanceof Mono<?> mono) {
      return Mono.deferContextual(context -> afterSuccess(mono, begin.apply(request(context))));
    }
    return answer instanceof Flux<?> flux
        ? Flux.deferContextual(context -> flux.doOnComplete(begin.apply(request(context))))
        : CoroutineStreams.eachWith(answer, begin);
  }

  /** What is like {@code answer}; of a Mono or a Flux, errors go to {@code seen} first. */
  static Object onError(Object answer, Consumer<Throwable> seen) {
    if (answer instanceof Mono<?> mono) {
      return mono.doOnError(seen);
    }
    return answer instanceof Flux<?> flux ? flux.doOnError(seen) : answer;
  }

  /** See {@link Reactive#checked}. */
  static Object checked(Object answer, Runnable check) {
    if (answer instanceof Mono<?> mono) {
      return Mono.defer(
          () -> {
            check.run();
            return mono;
          });
    }
    return answer instanceof Flux<?> flux
        ? Flux.defer(
            () -> {
              check.run();
              return flux;
            })
        : CoroutineStreams.checked(answer, check);
  }

  private static <T> Mono<T> afterSuccess(Mono<T> mono, Runnable then) {
    return mono.doOnSuccess(value -> then.run());
  }

  private static @Nullable RequestContext request(ContextView context) {
    return context.getOrDefault(RequestContext.class, null);
  }

  /** Null is an empty Mono. */
  private record ToSink(MonoSink<Object> sink) implements Receiver<@Nullable Object> {

    @Override
    public void onValue(@Nullable Object value) {
      if (value == null) {
        sink.success();
      } else {
        sink.success(value);
      }
    }

    @Override
    public void onError(Throwable error) {
      sink.error(error);
    }
  }
}
