// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud.internal;

import dev.tenrec.annotations.context.SpringCommands;
import dev.tenrec.core.CommandOptions;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.StreamCommandBuilder;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.work.StreamCallWork;
import dev.tenrec.core.work.StreamWork;
import io.reactivex.rxjava3.core.Flowable;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.cloud.client.circuitbreaker.ReactiveCircuitBreaker;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * A reactive circuit breaker: a stream command, for a Mono as well, which is a stream of one item
 * at the most. Thread-safe.
 */
public final class StreamCircuitBreaker implements ReactiveCircuitBreaker {

  /** Two commands of one key, for what has no fallback is counted so, whatever fallbacks may do. */
  private record Commands(
      StreamCommand<GuardedStream, Object> bare,
      StreamCommand<GuardedStream, Object> withFallback) {

    boolean isClosed() {
      return bare.isClosed();
    }

    StreamCommand<GuardedStream, Object> of(GuardedStream call) {
      return call.hasFallback() ? withFallback : bare;
    }
  }

  private final Tenrec tenrec;
  private final SpringCommands context;
  private final String id;
  private final Consumer<CommandOptions<?>> configuration;
  private final Renewed<Commands> commands;

  /**
   * Builds it.
   *
   * @param context what holds for all commands of the context
   * @param configuration what code says of it
   * @throws RuntimeException if a setting is wrong, or the key was built with other settings
   */
  public StreamCircuitBreaker(
      Tenrec tenrec, SpringCommands context, String id, Consumer<CommandOptions<?>> configuration) {
    this.tenrec = tenrec;
    this.context = context;
    this.id = id;
    this.configuration = configuration;
    this.commands = new Renewed<>(this::build, Commands::isClosed);
  }

  private Commands build() {
    StreamCallWork<GuardedStream, Object> watched = GuardedStream::items;
    StreamWork<GuardedStream, Object> plain = GuardedStream::items;
    return new Commands(
        described(tenrec.streamCommand(id, watched)).build(),
        described(tenrec.streamCommand(id, plain)).fallback(GuardedStream::answer).build());
  }

  private StreamCommandBuilder<GuardedStream, Object> described(
      StreamCommandBuilder<GuardedStream, Object> builder) {
    configuration.accept(builder);
    context.configure(id, builder);
    return builder;
  }

  /** Whether its key was removed and no call has brought it back, or its Tenrec closed. */
  public boolean isClosed() {
    return commands.isClosed();
  }

  @Override
  public <T> Mono<T> run(Mono<T> toRun) {
    return guarded(Objects.requireNonNull(toRun, "toRun").flux(), null).singleOrEmpty();
  }

  @Override
  public <T> Mono<T> run(Mono<T> toRun, Function<Throwable, Mono<T>> fallback) {
    Objects.requireNonNull(fallback, "fallback");
    return guarded(
            Objects.requireNonNull(toRun, "toRun").flux(), cause -> fluxOf(fallback.apply(cause)))
        .singleOrEmpty();
  }

  private static <T> @Nullable Flux<T> fluxOf(@Nullable Mono<T> answer) {
    return answer == null ? null : answer.flux();
  }

  @Override
  public <T> Flux<T> run(Flux<T> toRun) {
    return guarded(Objects.requireNonNull(toRun, "toRun"), null);
  }

  @Override
  public <T> Flux<T> run(Flux<T> toRun, Function<Throwable, Flux<T>> fallback) {
    return guarded(
        Objects.requireNonNull(toRun, "toRun"), Objects.requireNonNull(fallback, "fallback"));
  }

  @SuppressWarnings("unchecked") // an Object can be had from each, and each item is one of these
  private <T> Flux<T> guarded(
      Flux<T> work, @Nullable Function<Throwable, ? extends @Nullable Flux<T>> fallback) {
    Function<Throwable, @Nullable Flux<Object>> answer =
        (Function<Throwable, @Nullable Flux<Object>>) (Function<?, ?>) fallback;
    return (Flux<T>)
        Flux.deferContextual(subscriber -> execution((Flux<Object>) work, answer, subscriber));
  }

  /** One subscription. */
  private Flux<Object> execution(
      Flux<Object> work,
      @Nullable Function<Throwable, @Nullable Flux<Object>> fallback,
      ContextView subscriberContext) {
    GuardedStream call = new GuardedStream(work, fallback, subscriberContext);
    Flowable<Object> items = commands.current().of(call).toFlowable(call);
    Publisher<Object> started =
        subscriber -> SubscriberContext.run(subscriberContext, () -> items.subscribe(subscriber));
    return Flux.from(started).onErrorMap(call::forSubscriber);
  }

  @Override
  public String toString() {
    return "ReactiveCircuitBreaker " + id;
  }
}
