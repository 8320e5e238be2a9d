// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud.internal;

import dev.tenrec.core.outcome.MissingFallbackException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.circuitbreaker.NoFallbackAvailableException;
import reactor.core.publisher.Flux;
import reactor.util.context.ContextView;

/** One subscription: its work, what answers instead, and what became of that. */
final class GuardedStream {

  private final Flux<Object> work;
  private final @Nullable Function<Throwable, @Nullable Flux<Object>> fallback;
  private final ContextView context;

  /**
   * What the subscriber gets in the place of the work's error. Written by the thread that runs the
   * fallback or brings its error, read by the thread that brings the stream's, ordered by volatile
   * access.
   */
  private volatile @Nullable Throwable instead;

  GuardedStream(
      Flux<Object> work,
      @Nullable Function<Throwable, @Nullable Flux<Object>> fallback,
      ContextView context) {
    this.work = work;
    this.fallback = fallback;
    this.context = context;
  }

  Flux<Object> items() {
    return work.contextWrite(context);
  }

  /** What goes on after {@code cause}. */
  Flux<Object> answer(Throwable cause) {
    if (fallback == null) {
      instead = new NoFallbackAvailableException("No fallback available.", cause);
      throw new MissingFallbackException("a circuit breaker was run without a fallback");
    }
    Flux<Object> answer;
    try {
      answer = fallback.apply(cause);
      if (answer == null) {
        throw new NullPointerException("the fallback returned null, a Mono or Flux was expected");
      }
    } catch (Throwable thrown) {
      instead = thrown;
      throw thrown;
    }
    return answer.contextWrite(context).doOnError(failed -> instead = failed);
  }

  /** What the subscriber gets where the command ends in {@code error}. */
  Throwable forSubscriber(Throwable error) {
    Throwable ofFallback = instead;
    return ofFallback != null ? ofFallback : error;
  }
}
