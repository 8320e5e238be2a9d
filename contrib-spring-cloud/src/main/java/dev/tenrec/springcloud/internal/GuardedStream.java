// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud.internal;

import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.event.EventType;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
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
   * The execution; null if its work has not begun, or it has a fallback. Written by the thread that
   * begins the work, read by the one that brings the stream's error, ordered by volatile access.
   */
  private volatile @Nullable Call call;

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

  /** As {@link #items()}, of an execution that is asked at its end what it counted as. */
  Flux<Object> items(Call execution) {
    call = execution;
    return items();
  }

  boolean hasFallback() {
    return fallback != null;
  }

  /** What goes on after {@code cause}, where there is a fallback. */
  Flux<Object> answer(Throwable cause) {
    Flux<Object> answer;
    try {
      answer = Objects.requireNonNull(fallback).apply(cause);
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
    if (fallback == null) {
      return reachesCaller(error)
          ? error
          : new NoFallbackAvailableException("No fallback available.", error);
    }
    Throwable ofFallback = instead;
    return ofFallback != null ? ofFallback : error;
  }

  /** Whether it does so as it is, and a fallback would not have been asked. */
  private boolean reachesCaller(Throwable error) {
    if (error instanceof Error || error instanceof BadRequestException) {
      return true;
    }
    if (call instanceof ListenedCall ended) {
      List<EventType> events = ended.events();
      return events.contains(EventType.BAD_REQUEST) || events.contains(EventType.CANCELLED);
    }
    return error instanceof CancellationException; // its Tenrec was closed before its work began
  }
}
