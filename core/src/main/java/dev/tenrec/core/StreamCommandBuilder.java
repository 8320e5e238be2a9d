// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.internal.call.Classification;
import dev.tenrec.core.internal.call.Pipeline;
import dev.tenrec.core.internal.engine.Registry;
import dev.tenrec.core.internal.stream.StreamBody;
import dev.tenrec.core.work.StreamCallWork;
import dev.tenrec.core.work.StreamFallback;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Builds one stream command. See {@link CommandOptions} for what it shares with commands; {@link
 * #timeout} bounds the time until the first item, {@link #slowCall} compares the time until the
 * stream's end.
 *
 * @param <A> what the command is subscribed with
 * @param <R> one item
 */
public final class StreamCommandBuilder<A extends @Nullable Object, R>
    extends CommandOptions<StreamCommandBuilder<A, R>> {

  private final Tenrec tenrec;
  private final StreamCallWork<A, R> work;
  private final boolean showsCall;
  private @Nullable StreamFallback<A, R> fallback;
  private @Nullable Function<? super A, ? extends @Nullable Object> rateKey;

  StreamCommandBuilder(Tenrec tenrec, String key, StreamCallWork<A, R> work, boolean showsCall) {
    super(key);
    this.tenrec = tenrec;
    this.work = work;
    this.showsCall = showsCall;
  }

  @Override
  StreamCommandBuilder<A, R> self() {
    return this;
  }

  /**
   * What goes on when the work does not: it failed, a limit passed, it was rejected, or the circuit
   * was open. Items the subscriber has got stay.
   */
  public StreamCommandBuilder<A, R> fallback(StreamFallback<A, R> fallback) {
    this.fallback = Objects.requireNonNull(fallback, "fallback");
    return this;
  }

  /**
   * The time until the first item, or the end without one: from the call, waiting for a thread
   * included, or from when the subscriber first asks for an item, if that is later. Default one
   * second.
   */
  @Override
  public StreamCommandBuilder<A, R> timeout(Duration timeout) {
    return super.timeout(timeout);
  }

  /**
   * The time until each further item, or the end, from when the one before was consumed or, if that
   * is later, the next was asked for. Default, and zero: for ever.
   */
  public StreamCommandBuilder<A, R> betweenItemsTimeout(Duration timeout) {
    return set(CommandProperties.BETWEEN_ITEMS_TIMEOUT, timeout);
  }

  /**
   * The rate limit holds for each key by itself: as {@link CommandBuilder#rateLimitKey}.
   *
   * @param key the key of an argument, compared by equals; null is a key as any other
   */
  public StreamCommandBuilder<A, R> rateLimitKey(
      Function<? super A, ? extends @Nullable Object> key) {
    this.rateKey = Objects.requireNonNull(key, "key");
    return this;
  }

  /**
   * The command. If its key was built before with equal settings, both share their circuit breaker,
   * permits and metrics.
   *
   * @throws IllegalArgumentException as {@link CommandBuilder#build}
   * @throws IllegalStateException as {@link CommandBuilder#build}
   */
  public StreamCommand<A, R> build() {
    Prelude prelude = tenrec.prelude();
    Registry.Entry entry = tenrec.registry().command(key, definition(IsolationStrategy.SEMAPHORE));
    return new StreamCommand<>(
        new Pipeline<>(
            entry.runtime(),
            new StreamBody<>(prelude.to(work), fallback, showsCall || prelude.isThere()),
            null,
            new Classification(ignored(), Classification.ANY_RESULT),
            null,
            rateKey,
            null));
  }
}
