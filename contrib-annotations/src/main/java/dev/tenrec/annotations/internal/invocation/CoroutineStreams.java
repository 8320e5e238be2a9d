// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.core.RequestContext;
import dev.tenrec.core.StreamCommand;
import io.reactivex.rxjava3.core.Flowable;
import java.util.function.Function;
import java.util.function.Supplier;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.flow.FlowCollector;
import kotlinx.coroutines.flow.FlowKt;
import kotlinx.coroutines.reactive.ReactiveFlowKt;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Streams as Flows, in their collectors' context. Loaded when a function returns one: Kotlin may be
 * absent.
 */
final class CoroutineStreams {

  private CoroutineStreams() {}

  /** A call made by a collector, with its context. */
  private static final class CollectorsCall extends ProxiedCall {

    private final CoroutineContext context;

    CollectorsCall(MethodInvocation call, CoroutineContext context) {
      super(call);
      this.context = context;
    }
  }

  /**
   * Each collecting is an execution.
   *
   * @param command what is executed
   * @param call gone on with by each, with a copy
   */
  private record Executions(StreamCommand<MethodInvocation, Object> command, MethodInvocation call)
      implements Flow<Object> {

    @Override
    public @Nullable Object collect(
        FlowCollector<? super Object> collector, Continuation<? super Unit> continuation) {
      CoroutineContext context = Coroutines.withoutJob(continuation.getContext());
      Flowable<Object> items =
          command.toFlowable(new CollectorsCall(Proceeding.copy(call), context));
      Flowable<Object> reported =
          items.onErrorResumeNext(
              thrown -> Flowable.error(Coroutines.reported(command.key(), thrown)));
      return ReactiveFlowKt.asFlow(reported).collect(collector, continuation);
    }
  }

  /**
   * A flow, before whose collecting something is checked.
   *
   * @param flow collected if {@code check} throws nothing
   */
  private record Checked(Flow<Object> flow, Runnable check) implements Flow<Object> {

    @Override
    public @Nullable Object collect(
        FlowCollector<? super Object> collector, Continuation<? super Unit> continuation) {
      check.run();
      return flow.collect(collector, continuation);
    }
  }

  /**
   * A flow, at the end of which something is done.
   *
   * @param flow collected
   * @param begin says at the beginning of each collecting what is done when that has succeeded
   */
  private record Followed(Flow<Object> flow, Supplier<Runnable> begin) implements Flow<Object> {

    @Override
    public @Nullable Object collect(
        FlowCollector<? super Object> collector, Continuation<? super Unit> continuation) {
      Runnable then = begin.get();
      Flow<Object> followed =
          FlowKt.onCompletion(
              flow,
              (items, thrown, ending) -> {
                if (thrown == null) { // neither failed nor left by its collector
                  then.run();
                }
                return Unit.INSTANCE;
              });
      return followed.collect(collector, continuation);
    }
  }

  /** See {@link Reactive#eachWith}; a collector has no context of Reactor's. */
  @SuppressWarnings("unchecked") // an Object can be had from any
  static Object eachWith(Object flow, Function<@Nullable RequestContext, Runnable> begin) {
    return new Followed((Flow<Object>) flow, () -> begin.apply(null));
  }

  /** See {@link Reactive#checked}. */
  @SuppressWarnings("unchecked") // it is one of ours
  static Flow<Object> checked(Object flow, Runnable check) {
    return new Checked((Flow<Object>) flow, check);
  }

  static Flow<Object> of(StreamCommand<MethodInvocation, Object> command, MethodInvocation call) {
    return new Executions(command, call);
  }

  /** See {@link FailedAnswer}. */
  static Object failed(Throwable thrown) {
    return ReactiveFlowKt.asFlow(Flowable.error(thrown));
  }

  /** What the function, or its fallback, returned for this call. */
  @SuppressWarnings("unchecked") // an Object can be had from any
  static Publisher<Object> items(MethodInvocation call, Object returned) {
    CoroutineContext context =
        call instanceof CollectorsCall collected
            ? collected.context
            : EmptyCoroutineContext.INSTANCE;
    return ReactiveFlowKt.asPublisher((Flow<Object>) returned, context);
  }

  /** What the fallback of a function that suspends returned: a Flow, or a Mono that brings one. */
  static Publisher<Object> ofFallback(Object returned) {
    return returned instanceof Mono<?> awaited
        ? awaited.flatMapMany(flow -> items(flow))
        : items(returned);
  }

  @SuppressWarnings("unchecked") // an Object can be had from any
  private static Publisher<Object> items(Object flow) {
    return Flux.from(ReactiveFlowKt.asPublisher((Flow<Object>) flow));
  }
}
