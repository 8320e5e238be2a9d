// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.tenrec.core.work.Call;
import dev.tenrec.hystrix.AbstractCommand.UserCode;
import dev.tenrec.hystrix.exception.HystrixBadRequestException;
import dev.tenrec.hystrix.exception.HystrixRuntimeException.FailureType;
import dev.tenrec.hystrix.strategy.HystrixPlugins;
import dev.tenrec.hystrix.strategy.concurrency.HystrixConcurrencyStrategy;
import dev.tenrec.hystrix.strategy.concurrency.HystrixConcurrencyStrategyDefault;
import dev.tenrec.hystrix.strategy.eventnotifier.HystrixEventNotifier;
import dev.tenrec.hystrix.strategy.eventnotifier.HystrixEventNotifierDefault;
import dev.tenrec.hystrix.strategy.executionhook.HystrixCommandExecutionHook;
import dev.tenrec.hystrix.strategy.executionhook.HystrixCommandExecutionHookDefault;
import io.reactivex.rxjava3.core.Observable;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one execution has the registered plugins do. There is none where none is registered. */
final class ExecutionPlugins {

  /** What users write that may run on another thread. */
  enum Piece {
    WORK,
    WORK_ITEMS,
    FALLBACK,
    FALLBACK_ITEMS
  }

  private static final Logger LOG = LoggerFactory.getLogger(ExecutionPlugins.class);

  private final AbstractCommand<?> command;
  private final HookSteps hook;
  private final HystrixEventNotifier notifier;
  private final boolean isHit;
  private final Map<Piece, CarriedCode> carried;

  /** Whether the hook heard of a thread's start, and not of its end. */
  private final AtomicBoolean onThread = new AtomicBoolean();

  /** Whether the work's ending is of no use. Written by the thread that decides, read by any. */
  private volatile boolean over;

  /** Written by the work's thread before the work begins; null where no time is known. */
  private volatile @Nullable Call call;

  /** Set once, by the thread that tells of the ending. */
  private final AtomicReference<@Nullable Thread> teller = new AtomicReference<>();

  /**
   * Whether plugins have heard of the ending. By that thread; threads that want the answer wait.
   */
  private final CountDownLatch told = new CountDownLatch(1);

  /** What the hook made of the error. Written and read under this object's lock. */
  private @Nullable Exception error;

  /** Whether the hook is asked just now, so that this thread asks within it. Under the lock. */
  private boolean asking;

  private ExecutionPlugins(
      AbstractCommand<?> command,
      HystrixCommandExecutionHook hook,
      HystrixEventNotifier notifier,
      boolean isHit,
      Map<Piece, CarriedCode> carried) {
    this.command = command;
    this.hook = new HookSteps(hook, command);
    this.notifier = notifier;
    this.isHit = isHit;
    this.carried = carried;
  }

  /** Whether a hook is registered. */
  static boolean hasHook() {
    return HystrixPlugins.getInstance().getCommandExecutionHook()
        != HystrixCommandExecutionHookDefault.getInstance();
  }

  /**
   * Those of an execution that begins, on its caller's thread.
   *
   * @param isHit whether another execution of the request answers
   * @return null if none is registered
   */
  static @Nullable ExecutionPlugins of(
      AbstractCommand<?> command, KnownCommand known, boolean isHit) {
    HystrixPlugins plugins = HystrixPlugins.getInstance();
    HystrixCommandExecutionHook hook = plugins.getCommandExecutionHook();
    HystrixEventNotifier notifier = plugins.getEventNotifier();
    HystrixConcurrencyStrategy strategy = plugins.getConcurrencyStrategy();
    boolean wraps = strategy != HystrixConcurrencyStrategyDefault.getInstance();
    if (!wraps
        && hook == HystrixCommandExecutionHookDefault.getInstance()
        && notifier == HystrixEventNotifierDefault.getInstance()) {
      return null;
    }
    Map<Piece, CarriedCode> carried = new EnumMap<>(Piece.class);
    if (wraps && !isHit) {
      for (Piece piece : elsewhere(command, known)) {
        carried.put(piece, new CarriedCode(strategy));
      }
    }
    return new ExecutionPlugins(command, hook, notifier, isHit, carried);
  }

  /** What may run on another thread than the caller's. */
  private static Set<Piece> elsewhere(AbstractCommand<?> command, KnownCommand known) {
    boolean here = known.isOnSemaphore();
    if (command instanceof HystrixObservableCommand) {
      return here // its items may be late, or fail elsewhere
          ? EnumSet.of(Piece.FALLBACK, Piece.FALLBACK_ITEMS)
          : EnumSet.allOf(Piece.class);
    }
    return here ? EnumSet.noneOf(Piece.class) : EnumSet.of(Piece.WORK, Piece.FALLBACK);
  }

  /** What this throws is what the caller gets. */
  void start() {
    if (isHit) {
      quietly(hook::onCacheHit);
    } else {
      hook.onStart();
    }
  }

  // The work and the fallback, each on its thread.

  /** Runs a piece with what the strategy captured, if that is another thread. */
  <T extends @Nullable Object> T carry(Piece piece, UserCode<T> code) throws Exception {
    CarriedCode captured = command.isOnCallersThread() ? null : carried.remove(piece);
    return captured == null ? code.run() : captured.run(code);
  }

  void knows(Call engines) {
    call = engines;
  }

  /** Runs work that brings one answer. */
  <T extends @Nullable Object> T answer(UserCode<T> work) throws Exception {
    try {
      startWork();
      T value;
      try {
        value = work.run();
      } catch (Throwable thrown) {
        throw Failures.thrown(workFailed(thrown));
      }
      if (isOver()) {
        return value;
      }
      T answer = emitted(value);
      workEnded();
      return answer;
    } finally {
      threadIsFree();
    }
  }

  /** Makes work that brings items. */
  <R> Observable<R> items(UserCode<Observable<R>> work) throws Exception {
    Observable<R> made;
    try {
      startWork();
      try {
        made = work.run();
      } catch (Throwable thrown) {
        throw Failures.thrown(workFailed(thrown));
      }
    } catch (Throwable thrown) {
      threadIsFree();
      throw thrown;
    }
    if (made == null) {
      threadIsFree();
      return made;
    }
    return made.map(this::emitted)
        .onErrorResumeNext(thrown -> Observable.error(workFailed(thrown)))
        .doOnComplete(this::workEnded)
        .doOnTerminate(this::threadIsFree);
  }

  private void startWork() {
    if (command.isExecutedInThread()) {
      onThread.set(true);
      hook.onThreadStart();
    }
    hook.onExecutionStart();
  }

  private Throwable workFailed(Throwable thrown) {
    return isOver()
        ? thrown
        : replacedThrown(replacedThrown(thrown, hook::onExecutionError), hook::onRunError);
  }

  private <T extends @Nullable Object> T emitted(T value) {
    return passedOn(replaced(replaced(value, hook::onExecutionEmit), hook::onRunSuccess));
  }

  private void workEnded() {
    if (!isOver()) {
      quietly(hook::onExecutionSuccess);
    }
  }

  /** No further step of the work is reported; one of a time-out or a given-up call completes it. */
  private void threadIsFree() {
    if (!over) {
      completeThread();
    }
  }

  private void completeThread() {
    if (onThread.compareAndSet(true, false)) {
      quietly(hook::onThreadComplete);
    }
  }

  private boolean isOver() {
    Call engines = call;
    return over || (engines != null && (engines.isGivenUp() || engines.remaining().isZero()));
  }

  /** The work's ending is of no use from now on. */
  void isGivenUp() {
    over = true;
  }

  /** Runs a fallback that brings one answer. */
  <T extends @Nullable Object> T fallBack(UserCode<T> fallback) throws Exception {
    startFallback();
    T value;
    try {
      value = fallback.run();
    } catch (Throwable thrown) {
      throw Failures.thrown(fallbackFailed(thrown));
    }
    T answer = fallbackEmitted(value);
    quietly(hook::onFallbackSuccess);
    return answer;
  }

  /** Makes a fallback that brings items. */
  <R> Observable<R> fallBackItems(UserCode<Observable<R>> fallback) throws Exception {
    startFallback();
    Observable<R> made;
    try {
      made = fallback.run();
    } catch (Throwable thrown) {
      throw Failures.thrown(fallbackFailed(thrown));
    }
    return made == null
        ? made
        : made.map(this::fallbackEmitted)
            .onErrorResumeNext(thrown -> Observable.error(fallbackFailed(thrown)))
            .doOnComplete(() -> quietly(hook::onFallbackSuccess));
  }

  private void startFallback() {
    over = true;
    completeThread();
    if (command.hasFallback()) {
      hook.onFallbackStart();
    }
  }

  private Throwable fallbackFailed(Throwable thrown) {
    return command.hasFallback() ? replacedThrown(thrown, hook::onFallbackError) : thrown;
  }

  private <T extends @Nullable Object> T fallbackEmitted(T value) {
    return passedOn(replaced(replaced(value, hook::onFallbackEmit), hook::onFallbackValue));
  }

  private <T extends @Nullable Object> T passedOn(T value) {
    return replaced(replaced(value, hook::onComplete), hook::onEmit);
  }

  // The ending.

  /** What callers get in the place of an exception; asked for once. */
  synchronized Exception onError(FailureType type, Exception exception) {
    if (asking) { // by what the hook executes, and which shares this ending
      return exception;
    }
    Exception known = error;
    if (known == null) {
      over = true;
      asking = true;
      try {
        completeThread();
        error = known = replacedError(type, exception);
      } finally {
        asking = false;
      }
    }
    return known;
  }

  /** Whether it is this cause that the execution has ended by, or is about to. */
  boolean hasEndedBy(Throwable cause) {
    Throwable noted = command.getExecutionException();
    return cause == command.thrown()
        || (noted != null && (cause == noted || cause == noted.getCause()));
  }

  private Exception replacedError(FailureType type, Exception exception) {
    if (isHit) {
      return exception;
    }
    Throwable made = replacedThrown(exception, given -> hook.onError(type, given));
    if (type == FailureType.BAD_REQUEST_EXCEPTION
        && !(made instanceof HystrixBadRequestException)) {
      LOG.error("{}: onError replaces a bad request by none; the first one counts", hook, made);
      return exception;
    }
    return (Exception) made;
  }

  /**
   * Tells of the ending, once: by the thread that brings it, or the one that registers the plugins
   * where that came first.
   */
  void ended(ExecutionResult ending) {
    over = true;
    if (!teller.compareAndSet(null, Thread.currentThread())) {
      return;
    }
    try {
      tell(ending);
    } finally {
      told.countDown();
    }
  }

  /**
   * Waits until the plugins have heard of the ending, which is decided; not within a plugin that
   * hears of it.
   *
   * @return false if the time was over first
   */
  boolean awaitTold(long nanos) throws InterruptedException {
    return Thread.currentThread() == teller.get() || told.await(nanos, NANOSECONDS);
  }

  private void tell(ExecutionResult ending) {
    boolean cancelled = ending.has(HystrixEventType.CANCELLED);
    if (!isHit) {
      if (cancelled) {
        quietly(hook::onUnsubscribe);
      }
      completeThread();
      if (!cancelled && ending.failure() == null) {
        quietly(hook::onSuccess);
      }
    }
    if (notifier != HystrixEventNotifierDefault.getInstance()) {
      report(ending);
    }
  }

  private void report(ExecutionResult ending) {
    Set<HystrixEventType> events = ending.getEventCounts().events();
    if (isHit) { // the others are the first execution's
      events.retainAll(Set.of(HystrixEventType.RESPONSE_FROM_CACHE, HystrixEventType.CANCELLED));
    }
    for (HystrixEventType event : events) {
      boolean eachItem = event == HystrixEventType.EMIT || event == HystrixEventType.FALLBACK_EMIT;
      int times = eachItem ? ending.getEventCounts().getCount(event) : 1;
      for (int i = 0; i < times; i++) {
        mark(event);
      }
    }
    if (isHit || events.isEmpty() || events.contains(HystrixEventType.CANCELLED)) {
      return;
    }
    if (ending.failure() != null && AbstractCommand.reached(events)) {
      mark(HystrixEventType.EXCEPTION_THROWN);
    }
    if (events.contains(HystrixEventType.SUCCESS)) {
      quietly(
          () ->
              notifier.markCommandExecution(
                  command.getCommandKey(),
                  command.getProperties().executionIsolationStrategy().get(),
                  ending.getExecutionLatency(),
                  ending.getOrderedList()));
    }
  }

  private void mark(HystrixEventType event) {
    quietly(() -> notifier.markEvent(event, command.getCommandKey()));
  }

  // What plugins throw.

  /** What may give something in the place of what it is given. */
  @SuppressWarnings("unchecked") // as users declare it: a hook returns what its command brings
  private static <T extends @Nullable Object> T replaced(
      T given, UnaryOperator<@Nullable Object> step) {
    try {
      return (T) step.apply(given);
    } catch (Throwable thrown) { // an Error, or a checked one unseen
      LOG.error("A hook threw, which changes nothing", thrown);
      return given;
    }
  }

  /** What is thrown on: the thing itself unless the hook gives another. */
  private static Throwable replacedThrown(
      Throwable thrown, Function<Exception, @Nullable Exception> step) {
    Exception given = Failures.asException(thrown);
    try {
      Exception made = step.apply(given);
      return made == null || made == given ? thrown : made;
    } catch (Throwable failed) { // an Error, or a checked one unseen
      LOG.error("A hook threw, which changes nothing", failed);
      return thrown;
    }
  }

  private static void quietly(Runnable step) {
    try {
      step.run();
    } catch (Throwable thrown) { // an Error, or a checked one unseen
      LOG.error("A plugin threw, which changes nothing", thrown);
    }
  }
}
