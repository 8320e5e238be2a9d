// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.internal.call.Classification;
import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.call.Pipeline;
import dev.tenrec.core.internal.call.WorkBody;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.view.CommandDetails;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The engine of commands for calls that capture their arguments: one name, a lambda with each call.
 * Thread-safe.
 *
 * <p>A command says once what it does and can be cached and batched; a guard is for what has no
 * such shape.
 */
public final class Guard {

  /** A call and what answers instead. */
  private record Guarded<T extends @Nullable Object>(
      Callable<? extends T> work, Function<? super Throwable, ? extends T> fallback) {}

  private final Command<Callable<?>, @Nullable Object> bare;
  private final Command<Guarded<?>, @Nullable Object> withFallback;

  Guard(CommandRuntime runtime, Classification classification, Prelude prelude) {
    bare =
        new Command<>(
            new Pipeline<>(
                runtime,
                prelude.to(new WorkBody.Plain<Callable<?>, @Nullable Object>(Callable::call)),
                null,
                classification,
                null));
    withFallback =
        new Command<>(
            new Pipeline<>(
                runtime,
                prelude.to(
                    new WorkBody.Plain<Guarded<?>, @Nullable Object>(
                        guarded -> guarded.work().call())),
                (guarded, cause) -> guarded.fallback().apply(cause),
                classification,
                null));
  }

  /** The key it was built with. */
  public String key() {
    return bare.key();
  }

  /**
   * Calls {@code work} under this guard and waits for its result; throws as {@link
   * Command#execute}.
   *
   * @return what it returned, which may be null
   */
  @SuppressWarnings("unchecked") // what comes out is what this work returned
  public <T extends @Nullable Object> T call(Callable<? extends T> work) {
    return (T) bare.execute(Objects.requireNonNull(work, "work"));
  }

  /**
   * Calls {@code work} under this guard and waits for its result, or for the answer of {@code
   * fallback} if the work has none; throws as {@link Command#execute}.
   *
   * @param fallback receives the reason; see {@link dev.tenrec.core.work.Fallback}
   */
  @SuppressWarnings("unchecked") // what comes out is what this work or this fallback returned
  public <T extends @Nullable Object> T call(
      Callable<? extends T> work, Function<? super Throwable, ? extends T> fallback) {
    return (T) withFallback.execute(guarded(work, fallback));
  }

  /** Calls {@code work} without waiting for it; as {@link Command#executeAsync}. */
  @SuppressWarnings("unchecked") // what comes out is what this work returned
  public <T extends @Nullable Object> CompletableFuture<T> callAsync(Callable<? extends T> work) {
    return (CompletableFuture<T>) bare.executeAsync(Objects.requireNonNull(work, "work"));
  }

  /** As {@link #callAsync(Callable)}, with a fallback for when the work has no answer. */
  @SuppressWarnings("unchecked") // what comes out is what this work or this fallback returned
  public <T extends @Nullable Object> CompletableFuture<T> callAsync(
      Callable<? extends T> work, Function<? super Throwable, ? extends T> fallback) {
    return (CompletableFuture<T>) withFallback.executeAsync(guarded(work, fallback));
  }

  /** Calls {@code work}, waits, and reports all about it; as {@link Command#attempt}. */
  @SuppressWarnings("unchecked") // what comes out is what this work returned
  public <T extends @Nullable Object> Outcome<T> attempt(Callable<? extends T> work) {
    return (Outcome<T>) bare.attempt(Objects.requireNonNull(work, "work"));
  }

  /** As {@link #attempt(Callable)}, with a fallback for when the work has no answer. */
  @SuppressWarnings("unchecked") // what comes out is what this work or this fallback returned
  public <T extends @Nullable Object> Outcome<T> attempt(
      Callable<? extends T> work, Function<? super Throwable, ? extends T> fallback) {
    return (Outcome<T>) withFallback.attempt(guarded(work, fallback));
  }

  /**
   * Calls {@code work} without waiting for it, and reports all about it; as {@link
   * Command#attemptAsync}.
   */
  @SuppressWarnings({"unchecked", "rawtypes"}) // what comes out is what this work returned
  public <T extends @Nullable Object> CompletableFuture<Outcome<T>> attemptAsync(
      Callable<? extends T> work) {
    return (CompletableFuture) bare.attemptAsync(Objects.requireNonNull(work, "work"));
  }

  /** As {@link #attemptAsync(Callable)}, with a fallback for when the work has no answer. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // what this work or this fallback returned
  public <T extends @Nullable Object> CompletableFuture<Outcome<T>> attemptAsync(
      Callable<? extends T> work, Function<? super Throwable, ? extends T> fallback) {
    return (CompletableFuture) withFallback.attemptAsync(guarded(work, fallback));
  }

  private static <T extends @Nullable Object> Guarded<T> guarded(
      Callable<? extends T> work, Function<? super Throwable, ? extends T> fallback) {
    return new Guarded<>(
        Objects.requireNonNull(work, "work"), Objects.requireNonNull(fallback, "fallback"));
  }

  /**
   * Closes its circuit, unless it is closed: a transition as any other, in the journal with its
   * reason. The health starts from zero. A circuit that {@code circuitBreaker.forceOpen} keeps open
   * goes on refusing.
   *
   * @param why what the journal says
   * @return whether it was open or half-open
   */
  public boolean closeCircuit(String why) {
    return bare.closeCircuit(Objects.requireNonNull(why, "why"));
  }

  /**
   * The rolling windows of its metrics begin now, with nothing in them, and with them its health
   * and its latencies. What is counted since the beginning goes on, for publishers, and the circuit
   * stays as it is.
   */
  public void resetMetrics() {
    bare.resetMetrics();
  }

  /** Its counts, latencies and circuit, live. */
  public CommandDetails view() {
    return bare.view();
  }

  /** Its counts, latencies and circuit as streams: a value at once, and one every interval. */
  public MetricStreams metricStreams() {
    return bare.metricStreams();
  }

  /** The last transitions of its circuit, oldest first. */
  public List<Transition> transitions() {
    return bare.transitions();
  }

  @Override
  public String toString() {
    return "Guard " + key();
  }
}
