// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.Command;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.outcome.CommandInterruptedException;
import dev.tenrec.core.outcome.MissingFallbackException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.work.Call;
import dev.tenrec.hystrix.ExecutionPlugins.Piece;
import dev.tenrec.hystrix.exception.ExceptionNotWrappedByHystrix;
import dev.tenrec.hystrix.exception.HystrixBadRequestException;
import io.reactivex.rxjava3.core.SingleObserver;
import io.reactivex.rxjava3.disposables.Disposable;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A call that can fail or hang, with its isolation, time-out, circuit breaker and fallback. An
 * instance is one execution; a second is refused. What instances of one key share (circuit,
 * permits, pool, counts, settings) begins with the first of them.
 *
 * @param <R> what it answers
 */
public abstract non-sealed class HystrixCommand<R extends @Nullable Object>
    extends AbstractCommand<R> implements HystrixExecutable<R> {

  /** Of this group; the class's simple name is the key, and the group's pool is used. */
  protected HystrixCommand(HystrixCommandGroupKey group) {
    super(group, null, null, null, null);
  }

  /** Of this group, on this pool. */
  protected HystrixCommand(HystrixCommandGroupKey group, HystrixThreadPoolKey threadPool) {
    super(group, null, threadPool, null, null);
  }

  /** Of this group, with this time-out. */
  protected HystrixCommand(
      HystrixCommandGroupKey group, int executionIsolationThreadTimeoutInMilliseconds) {
    super(group, null, null, timeout(executionIsolationThreadTimeoutInMilliseconds), null);
  }

  /** Of this group, on this pool, with this time-out. */
  protected HystrixCommand(
      HystrixCommandGroupKey group,
      HystrixThreadPoolKey threadPool,
      int executionIsolationThreadTimeoutInMilliseconds) {
    super(group, null, threadPool, timeout(executionIsolationThreadTimeoutInMilliseconds), null);
  }

  /** As the setter says. */
  protected HystrixCommand(Setter setter) {
    super(setter.group, setter.key, setter.poolKey, setter.command, setter.pool);
  }

  private static HystrixCommandProperties.Setter timeout(int milliseconds) {
    return new HystrixCommandProperties.Setter().withExecutionTimeoutInMilliseconds(milliseconds);
  }

  /** What an instance says of its command. Not thread-safe; may be used for many instances. */
  public static final class Setter {

    private final HystrixCommandGroupKey group;
    private @Nullable HystrixCommandKey key;
    private @Nullable HystrixThreadPoolKey poolKey;
    private HystrixCommandProperties.@Nullable Setter command;
    private HystrixThreadPoolProperties.@Nullable Setter pool;

    private Setter(HystrixCommandGroupKey group) {
      this.group = group;
    }

    /** Begins with the group. */
    public static Setter withGroupKey(HystrixCommandGroupKey groupKey) {
      return new Setter(groupKey);
    }

    /** The command's key; the class's simple name unless it is given. */
    public Setter andCommandKey(HystrixCommandKey commandKey) {
      this.key = commandKey;
      return this;
    }

    /** The pool; the group's unless it is given. */
    public Setter andThreadPoolKey(HystrixThreadPoolKey threadPoolKey) {
      this.poolKey = threadPoolKey;
      return this;
    }

    /** Settings of the command. */
    public Setter andCommandPropertiesDefaults(
        HystrixCommandProperties.Setter commandPropertiesDefaults) {
      this.command = commandPropertiesDefaults;
      return this;
    }

    /** Settings of the pool. */
    public Setter andThreadPoolPropertiesDefaults(
        HystrixThreadPoolProperties.Setter threadPoolPropertiesDefaults) {
      this.pool = threadPoolPropertiesDefaults;
      return this;
    }
  }

  // What users write.

  /**
   * The work.
   *
   * @return the answer, which may be null
   * @throws Exception any: the fallback answers then; a {@link
   *     dev.tenrec.hystrix.exception.HystrixBadRequestException} reaches the caller
   */
  protected abstract R run() throws Exception;

  /**
   * Answers if the work does not: it failed, timed out, was refused. Unless it is overridden there
   * is no fallback. It can ask this instance why, and should not go over the network.
   */
  protected R getFallback() {
    throw new MissingFallbackException("No fallback available.");
  }

  /**
   * By what executions of this command in one request are equal, so that one runs and answers for
   * all; null, unless it is overridden: by nothing.
   */
  protected @Nullable String getCacheKey() {
    return null;
  }

  @Override
  final @Nullable String cacheKey() {
    return getCacheKey();
  }

  // The doors.

  /**
   * Executes it and waits for the answer.
   *
   * @throws dev.tenrec.hystrix.exception.HystrixRuntimeException if neither the work nor the
   *     fallback answers, or this instance was executed before
   * @throws dev.tenrec.hystrix.exception.HystrixBadRequestException if the work throws it
   */
  @Override
  public R execute() {
    KnownCommand present = begin();
    Outcome<@Nullable Object> outcome;
    try {
      outcome = through(present, Command::attempt);
    } catch (Exception thrown) { // not the work's: that is in the outcome
      throw failedToExecute(thrown);
    }
    Throwable failure = settle(outcome).failure();
    if (failure == null) {
      return answerOf(outcome);
    }
    throw Failures.thrown(unwrapped(failure));
  }

  /** A bad request that only carries an exception which is not to be wrapped. */
  static Throwable unwrapped(Throwable failure) {
    return failure instanceof HystrixBadRequestException
            && failure.getCause() instanceof ExceptionNotWrappedByHystrix
        ? failure.getCause()
        : failure;
  }

  /**
   * Executes it without waiting for work on a pool; on a semaphore the work runs here. The future
   * is this execution's own: cancelling it gives the work up, which is interrupted if {@code
   * execution.isolation.thread.interruptOnFutureCancel} says so.
   *
   * @throws dev.tenrec.hystrix.exception.HystrixRuntimeException if it was refused, and the
   *     fallback has not answered; or this instance was executed before. All other failures are the
   *     future's
   */
  @Override
  public Future<R> queue() {
    KnownCommand present = begin();
    CompletableFuture<Outcome<@Nullable Object>> outcome;
    try {
      outcome = through(present, Command::attemptAsync);
    } catch (Exception thrown) {
      return CompletableFuture.failedFuture(thrown);
    }
    boolean known = outcome.isDone();
    CompletableFuture<Outcome<@Nullable Object>> unused =
        outcome.whenComplete(
            (ended, thrown) -> {
              if (ended != null) {
                ExecutionResult settled = settle(ended);
              } else {
                cancelled();
              }
            });
    QueuedExecution<R> future = new QueuedExecution<>(this, outcome);
    if (known) {
      future.throwIfRefused();
    }
    return future;
  }

  @Override
  final void start(Delivery<R> delivery) {
    KnownCommand present = begin();
    OutcomeObserver observer = new OutcomeObserver(delivery);
    try {
      OutcomeObserver unused =
          through(
              present,
              (command, instance) -> command.attemptSingle(instance).subscribeWith(observer));
    } catch (Exception thrown) {
      delivery.fail(thrown);
    }
  }

  /** A door of the engine's. */
  @FunctionalInterface
  private interface EngineDoor<T> {
    T enter(Command<HystrixCommand<?>, @Nullable Object> command, HystrixCommand<?> instance);
  }

  /** Everything between the beginning and the engine; what it throws ends the execution. */
  private <T> T through(KnownCommand present, EngineDoor<T> door) throws Exception {
    try {
      if (!shares(present, getCacheKey())) {
        startPlugins(present);
        return door.enter(present.single(), this);
      }
      joinRequest(present);
      startPlugins(present);
      try (Scope scope = entered(present)) {
        return door.enter(present.single(), this);
      }
    } catch (Throwable thrown) {
      endedBeforeTheEngine(thrown);
      throw thrown;
    }
  }

  /** Brings the outcome to the observer. */
  private final class OutcomeObserver implements SingleObserver<Outcome<@Nullable Object>> {

    private final Delivery<R> delivery;

    OutcomeObserver(Delivery<R> delivery) {
      this.delivery = delivery;
    }

    @Override
    public void onSubscribe(Disposable execution) {
      delivery.follow(execution);
    }

    @Override
    public void onSuccess(Outcome<@Nullable Object> outcome) {
      Throwable failure = settle(outcome).failure();
      if (failure != null) {
        delivery.fail(failure);
        return;
      }
      R answer = answerOf(outcome);
      if (answer != null) { // an observable has no null: it is then empty
        delivery.item(answer);
      }
      delivery.complete();
    }

    @Override
    public void onError(Throwable thrown) { // its Tenrec was closed
      cancelled();
      delivery.fail(failedToExecute(thrown));
    }
  }

  // What the engine calls.

  @Override
  final void make(KnownCommand command) {
    Object unused = command.single();
  }

  final @Nullable Object work() throws Exception {
    ExecutionPlugins plugins = plugins();
    return plugins == null
        ? workHere(this::run)
        : workHere(() -> plugins.carry(Piece.WORK, () -> plugins.answer(this::run)));
  }

  /** Where a hook is registered: it hears of no work that is too late. */
  final @Nullable Object work(Call call) throws Exception {
    ExecutionPlugins plugins = plugins();
    if (plugins != null) {
      plugins.knows(call);
    }
    return work();
  }

  final @Nullable Object fallBack(Throwable cause) throws Exception {
    ExecutionPlugins plugins = plugins();
    try {
      return plugins == null
          ? fallBackHere(cause, this::getFallback)
          : fallBackHere(
              cause,
              () -> plugins.carry(Piece.FALLBACK, () -> plugins.fallBack(this::getFallback)));
    } catch (UnsupportedOperationException none) {
      throw Failures.thrown(UnsupportedFallbackException.toEngine(none));
    }
  }

  private static final ClassValue<Boolean> FALLBACKS =
      new DeclaresMethod(HystrixCommand.class, "getFallback");

  @Override
  final boolean hasFallback() {
    return FALLBACKS.get(getClass());
  }

  private void joinRequest(KnownCommand present) {
    FirstOfRequest first = FirstOfRequest.of(present, Objects.requireNonNull(sharedBy()));
    if (first.join(this)) {
      isHit();
    }
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // what run or getFallback returned, null or not
  final R answerOf(Outcome<@Nullable Object> outcome) {
    return (R) outcome.value();
  }

  /** The ending, as the engine has it. The first to bring it decides. */
  final ExecutionResult settle(Outcome<?> outcome) {
    return result().isEnded() ? result() : change(before -> ended(outcome, before));
  }

  private ExecutionResult ended(Outcome<?> outcome, ExecutionResult before) {
    EnumSet<HystrixEventType> events = eventsOf(outcome.eventBits());
    boolean cached = events.contains(HystrixEventType.RESPONSE_FROM_CACHE);
    int latency = cached || !reached(events) ? -1 : millis(outcome.callerLatency());
    ExecutionResult.EventCounts counts = counts(events, before.getEventCounts());
    Throwable cause = outcome.cause();
    if (cause == null) {
      Throwable error = outcome.error();
      Throwable failure = error == null ? null : failedToExecute(error);
      return new ExecutionResult(counts, latency, null, null, failure, true);
    }
    if (events.contains(HystrixEventType.CANCELLED)) {
      return new ExecutionResult(
          counts, latency, null, null, failedToExecute(interruption(cause)), true);
    }
    HystrixEventType why = Failures.causeAmong(events);
    Exception noted = before.getExecutionException();
    Exception standIn = noted != null ? noted : Failures.standIn(why, cause);
    boolean own = why == HystrixEventType.FAILURE;
    Throwable failure =
        outcome.isAnswered()
            ? null
            : Failures.of(
                this,
                events,
                cause,
                standIn,
                UnsupportedFallbackException.fromEngine(outcome.fallbackError()));
    return new ExecutionResult(counts, latency, own ? standIn : null, standIn, failure, true);
  }

  /** Hystrix's callers know the JDK's exception. */
  private static Throwable interruption(Throwable cause) {
    if (!(cause instanceof CommandInterruptedException)) {
      return cause instanceof CancellationException ? cause : new CancellationException();
    }
    Throwable interruption = cause.getCause();
    return interruption != null
        ? interruption
        : new InterruptedException(cause.getMessage()).initCause(cause);
  }

  private static int millis(Duration time) {
    return (int) time.toMillis();
  }
}
