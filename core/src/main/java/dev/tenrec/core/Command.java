// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.Pipeline;
import dev.tenrec.core.internal.door.ExecutionFuture;
import dev.tenrec.core.internal.door.NotifyingReceiver;
import dev.tenrec.core.internal.door.RxMaybe;
import dev.tenrec.core.internal.door.RxReceiver;
import dev.tenrec.core.internal.door.RxSingle;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.core.view.CommandDetails;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.disposables.Disposable;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A call that can fail or hang, behind its isolation, time-out, circuit breaker and fallback. Built
 * once, executed often; thread-safe.
 *
 * <p>What happens, and what is counted, does not depend on the door it is executed through.
 *
 * @param <A> what it is called with
 * @param <R> what it returns
 */
public final class Command<A extends @Nullable Object, R extends @Nullable Object> {

  private final Pipeline<A, R> pipeline;

  Command(Pipeline<A, R> pipeline) {
    this.pipeline = pipeline;
  }

  /** The key it was built with. */
  public String key() {
    return pipeline.commandKey();
  }

  /**
   * Executes it and waits for the answer, of the work or of the fallback.
   *
   * <p>If there is none, throws why the work did not answer: the exception it threw, with its own
   * stack trace, a checked one wrapped in a {@link dev.tenrec.core.outcome.CommandFailedException};
   * or a {@link dev.tenrec.core.outcome.CommandTimeoutException}, {@link
   * dev.tenrec.core.outcome.CircuitOpenException}, {@link
   * dev.tenrec.core.outcome.CommandRejectedException}, {@link
   * dev.tenrec.core.outcome.FailedResultException}; an {@link IllegalStateException} where a cache
   * key finds no open request; a {@link java.util.concurrent.CancellationException} if its Tenrec
   * was closed meanwhile. A caller interrupted while it waits gives its work up, keeps its
   * interrupt flag, and gets a {@link dev.tenrec.core.outcome.CommandInterruptedException}; no
   * fallback runs. All this holds as well for a caller whose own thread runs the work, when the
   * work throws an {@link InterruptedException} that was not made elsewhere, or what it got from a
   * command that it executed there.
   *
   * <p>A fallback's failure is not visible in an exception of the work: nothing is ever added to
   * the work's own exception. {@link #attempt} reports both failures.
   *
   * @param argument handed to the work; may be null
   * @return the answer, which may be null
   */
  public R execute(A argument) {
    return pipeline.execute(argument);
  }

  /**
   * Executes it, waits, and reports all about it. Throws nothing.
   *
   * @param argument handed to the work; may be null
   */
  public Outcome<R> attempt(A argument) {
    return pipeline.attempt(argument);
  }

  /**
   * Executes it without waiting for work that runs elsewhere. Never throws; what {@code execute}
   * would throw, unwrapped, completes the future. On a semaphore, blocking work blocks this call:
   * it runs on the caller's thread.
   *
   * <p>The future is this execution's own. Cancelling it, or completing it from outside, gives the
   * work up: what still waits for a thread never runs; what runs is interrupted if {@code
   * execution.isolation.thread.interruptOnFutureCancel} says so, but not by {@code cancel(false)},
   * and its cancellers run in the command's share of the callback threads. Once the ending is
   * decided neither changes anything, and returns false: the answer is on its way, and the future
   * shows what was counted.
   *
   * <p>{@code get}, {@code join}, {@code isDone} and their like see the ending as soon as it is
   * there. The future's dependents run after that, and cannot delay them. They run on the thread
   * that ended the execution (the pool's, which is not free meanwhile, or a stage's), or, after a
   * time-out, in the command's share.
   *
   * @param argument handed to the work; may be null
   */
  public CompletableFuture<R> executeAsync(A argument) {
    return begun(argument, NotifyingReceiver.answer());
  }

  /**
   * Executes it as {@link #executeAsync} does, and reports all about it as {@link #attempt} does:
   * the future is completed with an outcome, whatever the ending was, and never fails. Only its own
   * cancelling, or a completion from outside, puts something else in that place, and gives the work
   * up, as described there.
   *
   * @param argument handed to the work; may be null
   */
  public CompletableFuture<Outcome<R>> attemptAsync(A argument) {
    return begun(argument, NotifyingReceiver.outcome());
  }

  private <T extends @Nullable Object> CompletableFuture<T> begun(
      A argument, NotifyingReceiver<R, T> notifying) {
    ExecutionFuture<R, T> future = new ExecutionFuture<>(notifying);
    Execution<A, R> execution = pipeline.prepare(argument, future.receiver());
    future.follow(execution);
    pipeline.run(execution);
    return future;
  }

  /**
   * A cold single: each subscription is an execution, each disposal gives one up. A null result is
   * an error there, {@link #toMaybe} takes it.
   *
   * @param argument handed to the work; may be null
   */
  public Single<R> toSingle(A argument) {
    return new RxSingle<>(
        key(),
        observer -> new RxReceiver<>(pipeline, argument, NotifyingReceiver.answer(), observer));
  }

  /**
   * As {@link #toSingle}, with all about each execution in place of its answer, as {@link #attempt}
   * reports it: so a null result is none of its errors, and there are no others.
   *
   * @param argument handed to the work; may be null
   */
  public Single<Outcome<R>> attemptSingle(A argument) {
    return new RxSingle<>(
        key(),
        observer -> new RxReceiver<>(pipeline, argument, NotifyingReceiver.outcome(), observer));
  }

  /**
   * As {@link #toSingle}; completes empty on a null result.
   *
   * @param argument handed to the work; may be null
   */
  public Maybe<R> toMaybe(A argument) {
    return new RxMaybe<>(
        observer -> new RxReceiver<>(pipeline, argument, NotifyingReceiver.answer(), observer));
  }

  /**
   * Executes it and reports the ending to the receiver: what other doors are built on.
   *
   * @param argument handed to the work; may be null
   * @param receiver is called once, unless the returned handle is disposed before
   * @return gives the work up when disposed
   */
  public Disposable execute(A argument, Receiver<? super R> receiver) {
    Objects.requireNonNull(receiver, "receiver");
    RxReceiver<A, R, R> call =
        new RxReceiver<>(pipeline, argument, NotifyingReceiver.answer(), receiver);
    call.start();
    return call;
  }

  /**
   * This command with its argument: all its doors, for callers that need not know what it is called
   * with. Runs nothing.
   *
   * @param argument handed to the work by each execution; may be null
   */
  public BoundCommand<R> with(A argument) {
    return new BoundCommand<>(this, argument);
  }

  /**
   * The next call with this key in this thread's request runs anew. Those that share a run now go
   * on sharing it.
   *
   * @param cacheKey what {@link CommandBuilder#cacheKey} made of the argument
   * @throws IllegalStateException if this thread is at no open request, or the command has no cache
   *     key
   */
  public void clearCache(Object cacheKey) {
    pipeline.clearCache(Objects.requireNonNull(cacheKey, "cacheKey"));
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
    return pipeline.runtime.closeCircuit(Objects.requireNonNull(why, "why"));
  }

  /**
   * The rolling windows of its metrics begin now, with nothing in them, and with them its health
   * and its latencies. What is counted since the beginning goes on, for publishers, and the circuit
   * stays as it is.
   */
  public void resetMetrics() {
    pipeline.runtime.resetMetrics();
  }

  /**
   * Whether its key was removed ({@link Tenrec#remove}), or its Tenrec closed: every call that
   * begins from now on is rejected. A removed key may be built anew.
   */
  public boolean isClosed() {
    return pipeline.runtime.isClosed();
  }

  /**
   * Where its work runs at present; a change of settings may have it run elsewhere from the next
   * call on.
   */
  public IsolationStrategy isolation() {
    return pipeline.runtime.settings().isolationStrategy();
  }

  /** Its counts, latencies and circuit, live. */
  public CommandDetails view() {
    return pipeline.runtime.view();
  }

  /** Its counts, latencies and circuit as streams: a value at once, and one every interval. */
  public MetricStreams metricStreams() {
    return new MetricStreams(pipeline.runtime);
  }

  /** The last transitions of its circuit, oldest first, each with its reason and numbers. */
  public List<Transition> transitions() {
    return pipeline.runtime.transitions();
  }

  @Override
  public String toString() {
    return "Command " + key();
  }
}
