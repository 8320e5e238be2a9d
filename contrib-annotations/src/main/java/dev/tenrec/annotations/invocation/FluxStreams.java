// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.invocation;

import dev.tenrec.core.RequestContext;
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

  /** Each subscription is an execution, at the subscriber's request if its context has one. */
  static Flux<Object> of(StreamCommand<MethodInvocation, Object> command, MethodInvocation call) {
    return Flux.deferContextual(
        context -> {
          Flowable<Object> items =
              command.toFlowable(new ReactorCall(Proceeding.copy(call), context));
          return Flux.from(at(context.getOrDefault(RequestContext.class, null), items));
        });
  }

  private static Publisher<Object> at(@Nullable RequestContext request, Flowable<Object> items) {
    return request == null
        ? items
        : subscriber -> request.wrap(() -> items.subscribe(subscriber)).run();
  }

  /** What the method, or its fallback, returned for this call. */
  static Publisher<Object> items(MethodInvocation call, Publisher<Object> returned) {
    if (call instanceof ReactorCall subscribed && returned instanceof Flux<Object> flux) {
      ContextView context = subscribed.context();
      return flux.contextWrite(context);
    }
    return returned;
  }
}
