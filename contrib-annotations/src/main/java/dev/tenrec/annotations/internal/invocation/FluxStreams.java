// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.StreamCommand;
import io.reactivex.rxjava3.core.Flowable;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.util.context.ContextView;

/** Streams as Fluxes, in their subscribers' context. Loaded when a method returns one. */
final class FluxStreams {

  private FluxStreams() {}

  /** Each subscription is an execution. */
  static Flux<Object> of(StreamCommand<MethodInvocation, Object> command, MethodInvocation call) {
    return Flux.deferContextual(
        context -> {
          Flowable<Object> items =
              command.toFlowable(new ReactorCall(Proceeding.copy(call), context));
          Publisher<Object> started =
              subscriber ->
                  SubscriberContext.at(
                      context,
                      () -> {
                        items.subscribe(subscriber);
                        return subscriber;
                      });
          return Flux.from(started);
        });
  }

  /** The one answer of a member of a batch, per subscription. */
  static Object ofMember(
      Collapser<BatchArgument, @Nullable Object> collapser, BatchArgument asked) {
    return MonoDoor.ofMember(collapser, asked).flux();
  }

  /** The same, of which Spring makes the Flow that a function brings after it was suspended. */
  static Flux<Object> ofSuspending(
      StreamCommand<MethodInvocation, Object> command, MethodInvocation call) {
    return of(command, call).onErrorMap(thrown -> Coroutines.reported(command.key(), thrown));
  }

  /** See {@link FailedAnswer}. */
  static Object failed(Throwable thrown) {
    return Flux.error(thrown);
  }

  /** What the fallback returned: a Flux, or what one of Kotlin's does. */
  @SuppressWarnings("unchecked") // an Object can be had from any
  static Publisher<Object> substituted(MethodInvocation call, Substitute substitute) {
    Object answer = substitute.answer();
    if (answer == null) {
      throw new NullPointerException("the fallback returned null, a stream was expected");
    }
    return answer instanceof Flux
        ? items(call, (Publisher<Object>) answer)
        : CoroutineStreams.ofFallback(answer);
  }

  /** What the method returned for this call. */
  static Publisher<Object> items(MethodInvocation call, Publisher<Object> returned) {
    if (call instanceof ReactorCall subscribed && returned instanceof Flux<Object> flux) {
      ContextView context = subscribed.context();
      return flux.contextWrite(context);
    }
    return returned;
  }
}
