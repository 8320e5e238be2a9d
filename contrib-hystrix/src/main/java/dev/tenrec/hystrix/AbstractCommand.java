// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.hystrix.exception.HystrixRuntimeException;
import dev.tenrec.hystrix.exception.HystrixRuntimeException.FailureType;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.Ticker;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.subjects.ReplaySubject;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What {@link HystrixCommand} and {@link HystrixObservableCommand} have in common: an instance is
 * one execution, and can be asked about it.
 *
 * @param <R> what it answers
 */
public abstract sealed class AbstractCommand<R extends @Nullable Object>
    implements HystrixInvokableInfo<R>, HystrixObservable<R>
    permits HystrixCommand, HystrixObservableCommand {

  private static final VarHandle BEGUN;
  private static final VarHandle RESULT;
  private static final VarHandle RUN;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      BEGUN = lookup.findVarHandle(AbstractCommand.class, "begun", boolean.class);
      RESULT = lookup.findVarHandle(AbstractCommand.class, "result", ExecutionResult.class);
      RUN = lookup.findVarHandle(AbstractCommand.class, "run", FirstOfRequest.Run.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final CommandDescription description;

  /** Of the request this instance was made in. */
  private final @Nullable HystrixRequestLog log;

  /** Written by the thread that begins, if keys were forgotten since; read by any. */
  private volatile KnownCommand known;

  /** Set once, by the thread that begins. */
  private volatile boolean begun;

  // Written by the thread that begins, before the engine has the instance; read by threads that
  // the engine gave it.
  private @Nullable HystrixRequestContext request;
  private @Nullable Thread caller;
  private long beginNanos;
  private @Nullable String sharedBy;
  private boolean hit;
  private @Nullable ExecutionPlugins plugins;

  /**
   * What it shares with others of its request. Written by the thread that begins, and taken, once,
   * by the one that brings the ending.
   */
  private volatile FirstOfRequest.@Nullable Run run;

  /** Written by the work's thread, read by any. */
  private volatile boolean executedInThread;

  /** What the work threw. Written by its thread, read by the one that the ending is on. */
  private volatile @Nullable Throwable thrown;

  /** What is known of it. Replaced by a compare-and-set, until it has ended. */
  private volatile ExecutionResult result = ExecutionResult.NOTHING;

  /** Written by the collapser that made this its batch, before it begins. */
  private @Nullable HystrixCollapserKey collapserKey;

  private int collapsed;

  AbstractCommand(
      @Nullable HystrixCommandGroupKey group,
      @Nullable HystrixCommandKey key,
      @Nullable HystrixThreadPoolKey poolKey,
      HystrixCommandProperties.@Nullable Setter command,
      HystrixThreadPoolProperties.@Nullable Setter pool) {
    this.description = CommandDescription.of(getClass(), group, key, poolKey, command, pool);
    this.known = HystrixTenrec.known().command(description, this::make);
    this.log = HystrixRequestLog.getCurrentRequest();
  }

  /** Has what this kind of command needs made. */
  abstract void make(KnownCommand command);

  /** What {@link #toObservable} does once it is subscribed to. */
  abstract void start(Delivery<R> delivery);

  // The way in.

  /** Everything before the engine. An instance begins once. */
  final KnownCommand begin() {
    if (!BEGUN.compareAndSet(this, false, true)) {
      throw new HystrixRuntimeException(
          FailureType.BAD_REQUEST_EXCEPTION,
          getClass(),
          key() + " command executed multiple times - this is not permitted.",
          new IllegalStateException(
              "An instance of " + getClass().getName() + " is one execution: make a new one"),
          null);
    }
    try {
      KnownCommand present = known;
      if (present.forgotten) {
        known = present = HystrixTenrec.known().command(description, this::make);
      }
      beginNanos = Ticker.system().nanoTime();
      caller = Thread.currentThread();
      request = HystrixRequestContext.getContextForCurrentThread();
      if (log != null && present.isOn(CommandProperties.REQUEST_LOG_ENABLED)) {
        log.add(this);
      }
      return present;
    } catch (Throwable thrown) { // its Tenrec was closed
      endedBeforeTheEngine(thrown);
      throw thrown;
    }
  }

  /**
   * It has begun, and the engine has not taken it: no event, but an ending, so that threads which
   * wait for one get it. Does nothing once it has ended.
   */
  final void endedBeforeTheEngine(Throwable why) {
    ExecutionResult unused =
        change(before -> new ExecutionResult(before.getEventCounts(), -1, null, null, why, true));
  }

  /**
   * Whether other executions of its request may answer; their key is asked for once.
   *
   * @throws IllegalStateException if they may, and there is no request
   */
  final boolean shares(KnownCommand present, @Nullable String cacheKey) {
    if (cacheKey == null || !present.isOn(CommandProperties.REQUEST_CACHE_ENABLED)) {
      return false;
    }
    if (request == null) {
      throw HystrixRequestCache.noRequest(key());
    }
    sharedBy = cacheKey;
    return true;
  }

  /** By what it is equal to others of its request; null if it is to none. */
  final @Nullable String sharedBy() {
    return sharedBy;
  }

  /**
   * The last step before the engine. What a plugin throws, the caller gets, and then they hear of
   * no ending. Of one that came by now, as where another thread disposes, they hear after the
   * start.
   */
  final void startPlugins(KnownCommand present) {
    ExecutionPlugins registered = ExecutionPlugins.of(this, present, hit);
    if (registered == null) {
      return;
    }
    registered.start();
    plugins = registered;
    FirstOfRequest.Run shared = run;
    if (shared != null && !hit) {
      shared.plugins(registered);
    }
    ExecutionResult soFar = change(before -> before); // a later ending sees the plugins
    if (soFar.isEnded()) {
      registered.ended(soFar);
    }
  }

  final @Nullable ExecutionPlugins plugins() {
    return plugins;
  }

  /**
   * Waits until the plugins have heard of the ending, which is decided.
   *
   * @return false if the time was over first
   */
  final boolean awaitPlugins(long nanos) throws InterruptedException {
    ExecutionPlugins registered = plugins;
    return registered == null || registered.awaitTold(nanos);
  }

  /** The execution is about to be given up. */
  final void isGivenUp() {
    ExecutionPlugins registered = plugins;
    if (registered != null) {
      registered.isGivenUp();
    }
  }

  /**
   * What the caller gets for a failure. For one that the run brings to all that share it, the hook
   * is asked with the first of them, once.
   *
   * @param cause why the work did not answer, as the engine has it
   */
  final Exception onError(FailureType type, Exception exception, Throwable cause) {
    FirstOfRequest.Run shared = run;
    ExecutionPlugins ofFirst = hit && shared != null ? shared.plugins() : null;
    ExecutionPlugins registered = ofFirst != null && ofFirst.hasEndedBy(cause) ? ofFirst : plugins;
    return registered == null ? exception : registered.onError(type, exception);
  }

  /** Whether its class has a fallback. */
  abstract boolean hasFallback();

  /** Until it has ended. */
  final boolean isOnCallersThread() {
    return Thread.currentThread() == caller;
  }

  final HystrixRuntimeException failedToExecute(Throwable cause) {
    return new HystrixRuntimeException(
        FailureType.COMMAND_EXCEPTION, getClass(), key() + " failed while executing.", cause, null);
  }

  // The work and the fallback, on whichever thread the engine chose.

  /** User code that may throw. */
  @FunctionalInterface
  interface UserCode<T extends @Nullable Object> {
    T run() throws Exception;
  }

  /** Runs the work at the request of its caller. */
  final <T extends @Nullable Object> T workHere(UserCode<T> work) throws Exception {
    executedInThread = Thread.currentThread() != caller;
    Deque<HystrixCommandKey> running = Hystrix.enter(description.key());
    try {
      return atRequest(work);
    } catch (Throwable t) {
      thrown = t;
      throw t;
    } finally {
      Hystrix.leave(running);
    }
  }

  /** Runs the fallback, which can ask this instance why. */
  final <T extends @Nullable Object> T fallBackHere(Throwable cause, UserCode<T> fallback)
      throws Exception {
    HystrixEventType why = Failures.eventOf(cause, thrown);
    noteCause(why, cause);
    return atRequest(fallback);
  }

  final <T extends @Nullable Object> T atRequest(UserCode<T> code) throws Exception {
    HystrixRequestContext before = HystrixRequestContext.getContextForCurrentThread();
    if (before == request) {
      return code.run();
    }
    HystrixRequestContext.setContextOnCurrentThread(request);
    try {
      return code.run();
    } finally {
      HystrixRequestContext.setContextOnCurrentThread(before);
    }
  }

  /** As {@link #atRequest}, for code that throws nothing checked. */
  final void observersAtRequest(Runnable code) {
    HystrixRequestContext before = HystrixRequestContext.getContextForCurrentThread();
    HystrixRequestContext.setContextOnCurrentThread(request);
    try {
      code.run();
    } finally {
      HystrixRequestContext.setContextOnCurrentThread(before);
    }
  }

  /** Within the Tenrec's request, where its cache is. */
  final Scope entered(KnownCommand present) throws Exception {
    return atRequest(() -> present.keys.request.get().enter());
  }

  // What is known.

  private void noteCause(HystrixEventType why, Throwable cause) {
    Exception standIn = Failures.standIn(why, cause);
    int latency = reached(why) ? elapsedMillis() : -1;
    change(
        before ->
            new ExecutionResult(
                withItems(before.getEventCounts()).plus(why),
                latency,
                why == HystrixEventType.FAILURE ? standIn : null,
                standIn,
                null,
                false));
  }

  /** Whether an execution with these events got past the circuit and the semaphore. */
  static boolean reached(Set<HystrixEventType> events) {
    return !events.contains(HystrixEventType.SHORT_CIRCUITED)
        && !events.contains(HystrixEventType.SEMAPHORE_REJECTED);
  }

  /** Whether an execution that ended so got past the circuit and the semaphore. */
  static boolean reached(HystrixEventType why) {
    return why != HystrixEventType.SHORT_CIRCUITED && why != HystrixEventType.SEMAPHORE_REJECTED;
  }

  /** The first ending counts; returns what is known then. */
  final ExecutionResult change(UnaryOperator<ExecutionResult> change) {
    ExecutionResult before = result;
    while (!before.isEnded()) {
      ExecutionResult after = change.apply(before);
      if (RESULT.compareAndSet(this, before, after)) {
        if (after.isEnded()) {
          caller = null;
          leaveRun(after);
          ExecutionPlugins registered = plugins;
          if (registered != null) {
            registered.ended(after);
          }
        }
        return after;
      }
      before = result;
    }
    return before;
  }

  /** No one wants its answer any more. Does nothing once it has ended. */
  final void cancelled() {
    if (!begun) {
      return;
    }
    ExecutionResult unused =
        change(
            before -> {
              ExecutionResult.EventCounts soFar = withItems(before.getEventCounts());
              EnumSet<HystrixEventType> events = EnumSet.of(HystrixEventType.CANCELLED);
              events.addAll(soFar.events());
              if (hit) {
                events.add(HystrixEventType.RESPONSE_FROM_CACHE);
              }
              return new ExecutionResult(
                  counts(events, soFar),
                  hit ? -1 : elapsedMillis(),
                  before.getException(),
                  before.getExecutionException(),
                  null,
                  true);
            });
  }

  /** With the items that came by now, for a command that brings more than one. */
  ExecutionResult.EventCounts withItems(ExecutionResult.EventCounts before) {
    return before;
  }

  /** It shares this with others of its request, and may have been given up by now. */
  final void joined(FirstOfRequest.Run shared) {
    run = shared;
    ExecutionResult present = result;
    if (present.isEnded()) {
      leaveRun(present);
    }
  }

  /** One that ends by its run's ending is still of those that share it. */
  private void leaveRun(ExecutionResult ending) {
    if (run == null) {
      return;
    }
    FirstOfRequest.@Nullable Run shared = (FirstOfRequest.Run) RUN.getAndSet(this, null);
    boolean ownEnding =
        ending.has(HystrixEventType.CANCELLED)
            || ending.getOrderedList().isEmpty()
            || isRefused(ending);
    if (shared != null && ownEnding) {
      shared.leave();
    }
  }

  /** Whether the engine has not let it share the run, as one that the run's own work executes. */
  private boolean isRefused(ExecutionResult ending) {
    return hit
        && ending.has(HystrixEventType.BAD_REQUEST)
        && !ending.has(HystrixEventType.RESPONSE_FROM_CACHE);
  }

  /** Another execution of its request was there before. */
  final void isHit() {
    hit = true;
  }

  /** With its batch, if it is one. */
  final ExecutionResult.EventCounts counts(
      EnumSet<HystrixEventType> events, ExecutionResult.EventCounts emitted) {
    if (collapsed > 0) {
      events.add(HystrixEventType.COLLAPSED);
    }
    return new ExecutionResult.EventCounts(
        events,
        emitted.getCount(HystrixEventType.EMIT),
        emitted.getCount(HystrixEventType.FALLBACK_EMIT),
        collapsed);
  }

  final int elapsedMillis() {
    return (int) ((Ticker.system().nanoTime() - beginNanos) / 1_000_000);
  }

  final @Nullable Throwable thrown() {
    return thrown;
  }

  final void threw(Throwable error) {
    thrown = error;
  }

  final ExecutionResult result() {
    return result;
  }

  final KnownCommand known() {
    return known;
  }

  final String key() {
    return description.key().name();
  }

  /** A collapser has made this its batch of so many calls. */
  final void collapses(HystrixCollapserKey key, int calls) {
    collapserKey = key;
    collapsed = calls;
  }

  // The doors both have.

  @Override
  public Observable<R> toObservable() {
    return new CommandObservable<>(this);
  }

  /**
   * Executes it now, and replays what comes to each subscriber. One that disposes of its
   * subscription gives the execution up for all.
   */
  @Override
  public Observable<R> observe() {
    ReplaySubject<R> all = ReplaySubject.create();
    Disposable source = toObservable().subscribe(all::onNext, all::onError, all::onComplete);
    return all.doOnDispose(source::dispose);
  }

  // What can be asked.

  /** By what executions of one request are equal, so that one answers for all. Null: by nothing. */
  @Nullable String cacheKey() {
    return null;
  }

  @Override
  public HystrixCommandGroupKey getCommandGroup() {
    return description.group();
  }

  @Override
  public HystrixCommandKey getCommandKey() {
    return description.key();
  }

  @Override
  public HystrixThreadPoolKey getThreadPoolKey() {
    return known.poolKey();
  }

  @Override
  public @Nullable String getPublicCacheKey() {
    return cacheKey();
  }

  @Override
  public @Nullable HystrixCollapserKey getOriginatingCollapserKey() {
    return collapserKey;
  }

  @Override
  public HystrixCommandMetrics getMetrics() {
    return known.metrics;
  }

  @Override
  public HystrixCommandProperties getProperties() {
    return known.properties;
  }

  @Override
  public boolean isCircuitBreakerOpen() {
    return HystrixCircuitBreaker.Factory.of(known).isOpen();
  }

  @Override
  public boolean isExecutionComplete() {
    ExecutionResult now = result;
    return now.isEnded() && !now.has(HystrixEventType.CANCELLED);
  }

  @Override
  public boolean isExecutedInThread() {
    return executedInThread;
  }

  @Override
  public boolean isSuccessfulExecution() {
    return result.has(HystrixEventType.SUCCESS);
  }

  @Override
  public boolean isFailedExecution() {
    return result.has(HystrixEventType.FAILURE);
  }

  @Override
  public @Nullable Throwable getFailedExecutionException() {
    return result.getException();
  }

  /** Why the work did not answer, whatever the reason; null if it did. */
  public @Nullable Throwable getExecutionException() {
    return result.getExecutionException();
  }

  @Override
  public boolean isResponseFromFallback() {
    return result.has(HystrixEventType.FALLBACK_SUCCESS);
  }

  @Override
  public boolean isResponseTimedOut() {
    return result.has(HystrixEventType.TIMEOUT);
  }

  @Override
  public boolean isResponseShortCircuited() {
    return result.has(HystrixEventType.SHORT_CIRCUITED);
  }

  @Override
  public boolean isResponseFromCache() {
    return result.has(HystrixEventType.RESPONSE_FROM_CACHE);
  }

  @Override
  public boolean isResponseRejected() {
    return isResponseThreadPoolRejected() || isResponseSemaphoreRejected();
  }

  @Override
  public boolean isResponseSemaphoreRejected() {
    return result.has(HystrixEventType.SEMAPHORE_REJECTED);
  }

  @Override
  public boolean isResponseThreadPoolRejected() {
    return result.has(HystrixEventType.THREAD_POOL_REJECTED);
  }

  @Override
  public List<HystrixEventType> getExecutionEvents() {
    return result.getOrderedList();
  }

  @Override
  public int getNumberEmissions() {
    return result.getEventCounts().getCount(HystrixEventType.EMIT);
  }

  @Override
  public int getNumberFallbackEmissions() {
    return result.getEventCounts().getCount(HystrixEventType.FALLBACK_EMIT);
  }

  @Override
  public int getNumberCollapsed() {
    return collapsed;
  }

  @Override
  public int getExecutionTimeInMilliseconds() {
    return result.getExecutionLatency();
  }

  @Override
  public long getCommandRunStartTimeInNanos() {
    return begun && !isResponseShortCircuited() && !isResponseSemaphoreRejected() ? beginNanos : -1;
  }

  @Override
  public ExecutionResult.EventCounts getEventCounts() {
    return result.getEventCounts();
  }

  @Override
  public String toString() {
    return key() + getExecutionEvents();
  }

  /** What the engine's events are here; those Hystrix does not have are left out. */
  static EnumSet<HystrixEventType> eventsOf(int eventBits) {
    EnumSet<HystrixEventType> events = EnumSet.noneOf(HystrixEventType.class);
    for (EventType event : EventType.values()) {
      HystrixEventType known = HystrixEventType.of(event);
      if ((eventBits >>> event.ordinal() & 1) != 0
          && known != null
          && known != HystrixEventType.EXCEPTION_THROWN) {
        events.add(known);
      }
    }
    return events;
  }
}
