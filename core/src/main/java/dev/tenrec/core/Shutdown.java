// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.config.archaius.ArchaiusSource;
import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.call.Engine;
import dev.tenrec.core.internal.call.Errors;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.callback.CallbackExecutor;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.internal.config.Configuration;
import dev.tenrec.core.internal.engine.Registry;
import dev.tenrec.core.internal.isolation.BusyThread;
import dev.tenrec.core.internal.isolation.DaemonThreads;
import dev.tenrec.core.internal.isolation.Task;
import dev.tenrec.core.internal.isolation.WorkerPool;
import dev.tenrec.core.internal.launch.Launchable;
import dev.tenrec.core.internal.launch.VirtualStarter;
import dev.tenrec.core.internal.text.LogText;
import dev.tenrec.core.internal.timeout.ClosedTimeouts;
import dev.tenrec.core.internal.timeout.Timeout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what one Tenrec has running. In order: no new calls; patience; then every execution that is
 * left is ended, so that no caller waits for ever, and the threads are interrupted; then the
 * threads end, all but those that user code keeps.
 */
final class Shutdown {

  private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);

  /** As good as for ever, and near enough that a deadline reckoned from it does not overflow. */
  private static final Duration LONGEST = Duration.ofDays(365);

  /** How long interrupted user code may take to end. */
  private static final long LAST_NANOS = Duration.ofMillis(500).toNanos();

  /** How often closing looks whether calls that are about to be answered have been. */
  private static final long STEP_NANOS = 200_000;

  /** How often closing tries to end what it finds no memory to end. */
  private static final int TRIES = 10;

  /** How long closing waits for its own lines in the log. */
  private static final long LOG_MILLIS = 500;

  private final Engine engine;
  private final Configuration configuration;
  private final @Nullable ArchaiusSource ownSource;
  private final Registry registry;
  private final VirtualStarter virtual;
  private final List<DaemonThreads> threads;

  /** Counted down by the thread that closes first, awaited by those that close as well. */
  private final CountDownLatch closed = new CountDownLatch(1);

  Shutdown(
      Engine engine,
      Configuration configuration,
      @Nullable ArchaiusSource ownSource,
      Registry registry,
      VirtualStarter virtual,
      List<DaemonThreads> threads) {
    this.engine = engine;
    this.configuration = configuration;
    this.ownSource = ownSource;
    this.registry = registry;
    this.virtual = virtual;
    this.threads = threads;
  }

  Configuration configuration() {
    return configuration;
  }

  int liveThreads() {
    int live = virtual.live();
    for (DaemonThreads made : threads) {
      live += made.live();
    }
    for (Registry.Pool pool : registry.poolsAndRetired()) {
      live += pool.threads().live();
    }
    return live;
  }

  List<StillRunning> close(Duration patience) {
    long patienceNanos = reckonable(patience).toNanos();
    if (!registry.close()) {
      awaitOtherClose();
      return List.of();
    }
    List<StillRunning> left;
    try {
      left = closeFirst(engine.ticker().nanoTime() + patienceNanos);
    } finally {
      closed.countDown();
    }
    logApart(left);
    return left;
  }

  /** On another thread, for a logger may block: the caller of close has the list. */
  private void logApart(List<StillRunning> left) {
    if (left.isEmpty()) {
      return;
    }
    CountDownLatch logged = new CountDownLatch(1);
    CallbackTask lines =
        CallbackTask.of(
            () -> {
              left.forEach(Shutdown::log);
              logged.countDown();
            });
    try {
      engine.callbacks().newShare("close").execute(lines);
      // in most cases the lines are there when close returns
      boolean unused = logged.await(LOG_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable thrown) { // no memory: the list says it all
      return;
    }
  }

  /** Another thread closes: this one returns when that is done, or it is interrupted. */
  private void awaitOtherClose() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<StillRunning> closeFirst(long deadline) {
    Collection<Registry.Pool> pools = registry.poolsAndRetired();
    configuration.freeze(); // what is closing keeps its sizes
    engine.closing().await(() -> !registry.hasCallsInFlight(), deadline);
    engine.callbacks().awaitQuiet(deadline); // fallbacks of calls that timed out, for one
    pools.forEach(this::end);
    endEach(listed(virtual::close), Task::closed);
    Map<CommandRuntime, Integer> onCallers = made(this::inFlightOnCallers, Map.of());
    AtomicReference<@Nullable ClosedTimeouts> held = new AtomicReference<>();
    BooleanSupplier endHeld = () -> end(held); // made now: there may be no memory for it later
    ClosedTimeouts timeouts = engine.timer().close();
    held.set(timeouts);
    List<Execution<?, ?>> stages = listed(engine.stages()::close);
    List<Execution<?, ?>> known = listed(() -> executionsIn(timeouts, stages));
    List<Execution<?, ?>> cancelled = // their cancellers will run: they may end yet
        listed(() -> known.stream().filter(Execution::isAtWorkOnCaller).toList());
    insist(endHeld);
    endEach(stages, Execution::closed);
    long last = Math.max(deadline, engine.ticker().nanoTime()) + LAST_NANOS;
    pools.forEach(pool -> pool.runtime().workers().awaitQuiet(last));
    engine.closing().await(() -> virtual.running().isEmpty(), last);
    endUndecided(pools, known);
    List<CallbackExecutor.Stuck> stuckCallbacks = engine.callbacks().close(deadline, last);
    engine.closing().await(() -> haveLeft(cancelled, onCallers), last);
    configuration.close(); // leaves the source, which may be the user's
    if (ownSource != null) {
      ownSource.close();
    }
    // user code may have used up its time; what is left to end here needs an instant of its own
    long end = engine.ticker().nanoTime() + LAST_NANOS;
    if (stuckCallbacks.isEmpty()) {
      threads.forEach(made -> made.awaitNone(end));
    }
    pools.stream()
        .filter(pool -> pool.runtime().workers().stuck().isEmpty())
        .forEach(pool -> pool.threads().awaitNone(end));
    return stillRunning(pools, stuckCallbacks);
  }

  /**
   * Ends what has done its work and is held up by user code that judges the result. The first
   * {@code abort} has left it to the thread that is there.
   */
  private void endUndecided(Collection<Registry.Pool> pools, List<Execution<?, ?>> known) {
    List<Execution<?, ?>> undecided = new ArrayList<>(known);
    for (Registry.Pool pool : pools) {
      undecided.addAll(executionsIn(tasks(pool)));
    }
    undecided.addAll(executionsIn(virtual.running()));
    undecided.removeIf(each -> !each.isUndecided());
    awaitDecisions(undecided);
    endEach(undecided, each -> each.abortUndecided(Errors.closed(each.commandKey())));
  }

  private boolean end(AtomicReference<@Nullable ClosedTimeouts> held) {
    return Objects.requireNonNull(held.get()).end(engine.failures());
  }

  private Map<CommandRuntime, Integer> inFlightOnCallers() {
    Map<CommandRuntime, Integer> calls = new HashMap<>();
    for (CommandRuntime runtime : registry.withCallsInFlight()) {
      calls.put(runtime, runtime.inFlightOnCallers());
    }
    return calls;
  }

  /**
   * Whether cancelled calls on callers' threads are over. Work that has stopped is in flight until
   * its thread has given back the permit: such a call would be reported as still running.
   */
  private static boolean haveLeft(
      List<Execution<?, ?>> cancelled, Map<CommandRuntime, Integer> onCallers) {
    return cancelled.stream().allMatch(Execution::hasStopped)
        && cancelled.stream()
            .collect(Collectors.groupingBy(Execution::commandKey, Collectors.counting()))
            .entrySet()
            .stream()
            .allMatch(left -> haveLeft(left.getKey(), left.getValue(), onCallers));
  }

  private static boolean haveLeft(String key, long calls, Map<CommandRuntime, Integer> onCallers) {
    return onCallers.entrySet().stream()
        .filter(before -> before.getKey().key().equals(key))
        .allMatch(before -> before.getKey().inFlightOnCallers() <= before.getValue() - calls);
  }

  /** In steps: a thread that decides wakes no other thread by it. */
  private void awaitDecisions(List<Execution<?, ?>> undecided) {
    long now = engine.ticker().nanoTime();
    long last = now + LAST_NANOS;
    while (undecided.stream().anyMatch(Execution::isUndecided)
        && now - last < 0
        && !Thread.currentThread().isInterrupted()) {
      engine.waiter().awaitUntil(now + STEP_NANOS);
      now = engine.ticker().nanoTime();
    }
  }

  private static List<Execution<?, ?>> executionsIn(
      Iterable<Timeout> timeouts, List<Execution<?, ?>> stages) {
    List<Execution<?, ?>> executions = new ArrayList<>(stages);
    for (Timeout one : timeouts) {
      if (one instanceof Execution<?, ?> execution) {
        executions.add(execution);
      }
    }
    return executions;
  }

  /** Those of them that are calls. */
  private static List<Execution<?, ?>> executionsIn(Collection<?> some) {
    List<Execution<?, ?>> executions = new ArrayList<>();
    for (Object one : some) {
      if (one instanceof Execution<?, ?> execution) {
        executions.add(execution);
      }
    }
    return executions;
  }

  /** What the threads of the pool are at. */
  private static List<Task> tasks(Registry.Pool pool) {
    return pool.runtime().workers().stuck().stream().map(BusyThread::task).toList();
  }

  /** Ends each of them. Where there is no memory for that, it tries again; the others are ended. */
  private <T> void endEach(Collection<? extends T> all, Consumer<? super T> end) {
    insist(() -> isEachEnded(all, end));
  }

  /** What is to be ended. Where there is no memory for a list of it, it tries again. */
  private <T> List<T> listed(Supplier<? extends List<T>> what) {
    return made(what, List.of());
  }

  /** What a step makes; or something else, if there is no memory for that in the end. */
  private <R> R made(Supplier<? extends R> what, R otherwise) {
    AtomicReference<R> made = new AtomicReference<>(otherwise);
    insist(
        () -> {
          made.set(what.get());
          return true;
        });
    return Objects.requireNonNull(made.get());
  }

  /** Tries a step until it is done: some times at once, then in steps, for half a second. */
  private void insist(BooleanSupplier step) {
    for (int i = 0; i < TRIES; i++) {
      if (isDone(step)) {
        return;
      }
      Thread.yield();
    }
    long now = engine.ticker().nanoTime();
    long last = now + LAST_NANOS;
    boolean interrupted = false;
    while (!isDone(step) && now - last < 0) {
      interrupted |= Thread.interrupted(); // or no wait would wait
      engine.waiter().awaitUntil(now + STEP_NANOS);
      now = engine.ticker().nanoTime();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isDone(BooleanSupplier step) {
    try {
      return step.getAsBoolean();
    } catch (Throwable thrown) { // no memory
      report(thrown);
      return false;
    }
  }

  private <T> boolean isEachEnded(Collection<? extends T> all, Consumer<? super T> end) {
    boolean ended = true;
    for (T one : all) {
      try {
        end.accept(one);
      } catch (Throwable thrown) {
        ended = false;
        report(thrown);
      }
    }
    return ended;
  }

  private void report(Throwable thrown) {
    try {
      engine.failures().failed("closing could not end a call, and tries again", thrown);
    } catch (Throwable again) { // no memory to say so
      return;
    }
  }

  private static Duration reckonable(Duration patience) {
    if (patience.isNegative()) {
      return Duration.ZERO;
    }
    return patience.compareTo(LONGEST) > 0 ? LONGEST : patience;
  }

  private void end(Registry.Pool pool) {
    WorkerPool workers = pool.runtime().workers();
    endEach(listed(workers::shutdown), Task::closed);
    endEach(listed(() -> tasks(pool)), Task::closed);
    if (!workers.stuck().isEmpty()) { // those, too, that were answered long ago
      interruptApart(pool.runtime().key(), workers);
    }
  }

  /** On another thread, for an interrupt may wait. */
  private void interruptApart(String key, WorkerPool workers) {
    try {
      engine.callbacks().newShare(key).execute(CallbackTask.of(workers::interruptAll));
    } catch (Throwable thrown) { // no memory: all else is to be ended still
      workers.interruptAll();
    }
  }

  private List<StillRunning> stillRunning(
      Collection<Registry.Pool> pools, List<CallbackExecutor.Stuck> stuckCallbacks) {
    long now = engine.ticker().nanoTime();
    List<StillRunning> left = new ArrayList<>();
    for (Registry.Pool pool : pools) {
      for (BusyThread busy : pool.runtime().workers().stuck()) {
        left.add(ours(busy.thread().getName(), busy.task().toString(), now - busy.sinceNanos()));
      }
    }
    for (Launchable execution : virtual.running()) {
      left.add(ours("virtual", execution.commandKey(), execution.age(now).toNanos()));
    }
    for (CallbackExecutor.Stuck stuck : stuckCallbacks) {
      left.add(ours(stuck.thread(), stuck.name(), now - stuck.sinceNanos()));
    }
    for (CommandRuntime runtime : registry.withCallsInFlight()) {
      int calls = runtime.inFlightOnCallers();
      if (calls > 0) {
        left.add(new StillRunning(StillRunning.CALLERS, runtime.key(), calls, null));
      }
    }
    return List.copyOf(left);
  }

  private static StillRunning ours(String thread, String commandKey, long nanos) {
    return new StillRunning(thread, commandKey, 1, Duration.ofNanos(nanos));
  }

  private static void log(StillRunning one) {
    try {
      if (one.age() == null) {
        LOG.warn(
            "closed, but {} calls of {} are still at their work on their callers' threads",
            one.calls(),
            LogText.of(one.commandKey()));
      } else {
        LOG.warn(
            "closed, but {} is still at the work of {} after {}; it was interrupted",
            LogText.of(one.thread()),
            LogText.of(one.commandKey()),
            one.age());
      }
    } catch (Throwable loggers) { // the caller of close gets the list nevertheless
      return;
    }
  }
}
