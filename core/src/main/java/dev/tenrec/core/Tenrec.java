// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.config.Property;
import dev.tenrec.core.config.ResolvedSettings;
import dev.tenrec.core.config.SourceStatus;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.core.config.archaius.ArchaiusSource;
import dev.tenrec.core.internal.batch.BatchBodies;
import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.call.Engine;
import dev.tenrec.core.internal.call.StackReserve;
import dev.tenrec.core.internal.call.WorkBody;
import dev.tenrec.core.internal.callback.CallbackShare;
import dev.tenrec.core.internal.config.Configuration;
import dev.tenrec.core.internal.context.Variable;
import dev.tenrec.core.internal.engine.Collapsers;
import dev.tenrec.core.internal.engine.Registry;
import dev.tenrec.core.internal.flight.Flight;
import dev.tenrec.core.internal.gate.StackRoom;
import dev.tenrec.core.internal.isolation.DaemonThreads;
import dev.tenrec.core.internal.launch.VirtualStarter;
import dev.tenrec.core.internal.request.Requests;
import dev.tenrec.core.internal.sampling.Samplers;
import dev.tenrec.core.view.CollapserDetails;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.core.view.InventoryListener;
import dev.tenrec.core.view.JournalEntry;
import dev.tenrec.core.view.PoolDetails;
import dev.tenrec.core.view.RateLimiterDetails;
import dev.tenrec.core.view.RetryBudgetDetails;
import dev.tenrec.core.view.SemaphoreDetails;
import dev.tenrec.core.work.AsyncBatchCallWork;
import dev.tenrec.core.work.AsyncBatchWork;
import dev.tenrec.core.work.AsyncCallWork;
import dev.tenrec.core.work.AsyncWork;
import dev.tenrec.core.work.BatchCallWork;
import dev.tenrec.core.work.BatchWork;
import dev.tenrec.core.work.CallWork;
import dev.tenrec.core.work.PositionalBatchWork;
import dev.tenrec.core.work.StreamCallWork;
import dev.tenrec.core.work.StreamWork;
import dev.tenrec.core.work.Work;
import io.reactivex.rxjava3.core.Flowable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Puts every call that can fail or hang behind a command: isolated, timed, tripped, recovered, and
 * retuned while it runs.
 *
 * <pre>{@code
 * try (Tenrec tenrec = Tenrec.create()) {
 *   Command<Sku, Quote> getQuote = tenrec.command("GetQuote", (Sku sku) -> pricing.quote(sku))
 *       .timeout(Duration.ofMillis(300))
 *       .fallback((sku, cause) -> Quote.unknown(sku))
 *       .build();
 *   Quote quote = getQuote.execute(sku);
 * }
 * }</pre>
 *
 * <p>Owns its pools, timer and configuration; there is no static state, and there may be many of
 * them in one JVM. Thread-safe.
 */
public final class Tenrec implements AutoCloseable {

  private final Engine engine;
  private final @Nullable ArchaiusSource ownSource;
  private final Registry registry;
  private final Shutdown shutdown;
  private final Broadcast<FinishedRequest> finished;
  private final Broadcast<JournalEntry> journalled;

  /** Kept, because the flight recorder refers to it weakly. */
  private final Supplier<List<PoolDetails>> sampledPools = this::pools;

  private final Samplers samplers;
  private final Prelude prelude;

  Tenrec(
      Engine engine,
      Configuration configuration,
      @Nullable ArchaiusSource ownSource,
      Registry registry,
      VirtualStarter virtual,
      List<DaemonThreads> threads,
      Prelude prelude) {
    this.engine = engine;
    this.prelude = prelude;
    this.ownSource = ownSource;
    this.registry = registry;
    CallbackShare callbacks = engine.callbacks().newShare("metrics and requests");
    this.finished = new Broadcast<>(callbacks);
    this.journalled = new Broadcast<>(engine.callbacks().newShare("journal"));
    engine.journal().reportTo(journalled::send);
    this.samplers = new Samplers(engine.ticker(), engine.timer(), callbacks);
    this.shutdown = new Shutdown(engine, configuration, ownSource, registry, virtual, threads);
    Flight.sample(sampledPools); // last: it is taken back by closing only
  }

  /** A Tenrec with all defaults. */
  public static Tenrec create() {
    return builder().build();
  }

  /** Starts the description of a Tenrec. */
  public static TenrecBuilder builder() {
    return new TenrecBuilder();
  }

  /**
   * Starts a command around work that returns its result. With a lambda, say the argument's type,
   * {@code (Sku sku) -> ...}: the compiler would infer Object otherwise.
   *
   * @param key its name: for settings, metrics and messages
   * @param work what it does; a {@link dev.tenrec.core.work.CommandDefinition} brings its fallback
   *     along
   */
  public <A extends @Nullable Object, R extends @Nullable Object> CommandBuilder<A, R> command(
      String key, Work<A, R> work) {
    return new CommandBuilder<>(
        this, key, new WorkBody.Plain<>(Objects.requireNonNull(work, "work")));
  }

  /**
   * Starts a command around work that returns its result and looks at its own call.
   *
   * @param key its name
   * @param work what it does
   */
  public <A extends @Nullable Object, R extends @Nullable Object> CommandBuilder<A, R> command(
      String key, CallWork<A, R> work) {
    return new CommandBuilder<>(
        this, key, new WorkBody.WithCall<>(Objects.requireNonNull(work, "work")));
  }

  /**
   * Starts a command around work that returns a stage of its result. Isolated by a semaphore unless
   * set otherwise: the work starts on the caller's thread, and its permit is held until the stage
   * ends.
   *
   * @param key its name
   * @param work what it starts
   */
  public <A extends @Nullable Object, R extends @Nullable Object> CommandBuilder<A, R> asyncCommand(
      String key, AsyncWork<A, R> work) {
    return new CommandBuilder<>(
        this, key, new WorkBody.Staged<>(Objects.requireNonNull(work, "work")));
  }

  /**
   * Starts a command around work that returns a stage of its result and looks at its own call.
   * Isolated by a semaphore unless set otherwise.
   *
   * @param key its name
   * @param work what it starts
   */
  public <A extends @Nullable Object, R extends @Nullable Object> CommandBuilder<A, R> asyncCommand(
      String key, AsyncCallWork<A, R> work) {
    return new CommandBuilder<>(
        this, key, new WorkBody.StagedWithCall<>(Objects.requireNonNull(work, "work")));
  }

  /**
   * Starts a command around work that brings any number of items. Isolated by a semaphore unless
   * set otherwise: the work starts on the subscriber's thread, and its permit is held until the
   * stream ends.
   *
   * @param key its name
   * @param work makes the publisher of the items
   */
  public <A extends @Nullable Object, R> StreamCommandBuilder<A, R> streamCommand(
      String key, StreamWork<A, R> work) {
    Objects.requireNonNull(work, "work");
    return new StreamCommandBuilder<>(this, key, (argument, call) -> work.start(argument), false);
  }

  /**
   * Starts a command around work that brings any number of items and looks at its own call.
   * Isolated by a semaphore unless set otherwise.
   *
   * @param key its name
   * @param work makes the publisher of the items
   */
  public <A extends @Nullable Object, R> StreamCommandBuilder<A, R> streamCommand(
      String key, StreamCallWork<A, R> work) {
    return new StreamCommandBuilder<>(this, key, Objects.requireNonNull(work, "work"), true);
  }

  /**
   * Starts a guard: the engine of commands for calls that capture their arguments.
   *
   * @param key its name
   */
  public GuardBuilder guard(String key) {
    return new GuardBuilder(this, key);
  }

  /**
   * Opens a request on this thread: what the calls made until it is closed share. On a thread that
   * is at one already, the new one hides it until it is closed.
   */
  public RequestContext openRequest() {
    return new RequestContext(engine.requests(), engine.requests().open(), finished);
  }

  /** The request this thread is at, which may have been closed; empty if it is at none. */
  public Optional<RequestContext> currentRequest() {
    Requests requests = engine.requests();
    return Optional.ofNullable(requests.current())
        .map(request -> new RequestContext(requests, request, finished));
  }

  /**
   * The requests that close from the subscription on, each with its log, emitted on the callback
   * executor, so that closing a request waits for no subscriber; completes when this Tenrec begins
   * to close. Up to 1,000 wait for a subscriber that is busy, and as many for one that has not
   * asked for them; beyond that it loses the oldest.
   */
  public Flowable<FinishedRequest> finishedRequests() {
    return finished.stream();
  }

  /**
   * Makes something every request has its own of.
   *
   * @param initial makes its value, once per request, where it is first asked for
   * @param onClose receives the value when the request closes, or when {@link
   *     RequestVariable#remove} takes it out, on the thread that does that. A value that is still
   *     being made when the request closes is received on the thread that makes it. Not called for
   *     a request that never asked. What it throws at the close is logged, and keeps no other from
   *     being closed; {@code remove} throws it
   */
  public <T extends @Nullable Object> RequestVariable<T> requestVariable(
      Supplier<? extends T> initial, Consumer<? super T> onClose) {
    return new RequestVariable<>(
        engine.requests(),
        new Variable<>(
            Objects.requireNonNull(initial, "initial"),
            Objects.requireNonNull(onClose, "onClose")));
  }

  /** Makes something every request has its own of, and that needs no closing. */
  public <T extends @Nullable Object> RequestVariable<T> requestVariable(
      Supplier<? extends T> initial) {
    return requestVariable(initial, unused -> {});
  }

  /**
   * Starts a collapser: calls for one thing each that come within a short window become one call of
   * this function. With a lambda, say the arguments' type, {@code (List<Id> ids) -> ...}.
   *
   * @param key its name, and unless {@link CollapserBuilder#batchKey} says another, that of the
   *     command its batches run as
   * @param work answers all members of a batch, by argument
   */
  public <A extends @Nullable Object, R extends @Nullable Object> CollapserBuilder<A, R> collapser(
      String key, BatchWork<A, R> work) {
    return new CollapserBuilder<>(this, key, BatchBodies.of(key, work));
  }

  /**
   * Starts a collapser around a function that looks at its own call: to see when its batch is given
   * up, or how much time is left.
   *
   * @param key its name, and unless {@link CollapserBuilder#batchKey} says another, that of the
   *     command its batches run as
   * @param work answers all members of a batch, by argument
   */
  public <A extends @Nullable Object, R extends @Nullable Object> CollapserBuilder<A, R> collapser(
      String key, BatchCallWork<A, R> work) {
    return new CollapserBuilder<>(this, key, BatchBodies.withCall(key, work));
  }

  /**
   * Starts a collapser around a function that returns a stage of its answers and looks at its own
   * call. Isolated by a semaphore unless set otherwise.
   *
   * @param key its name, and unless {@link CollapserBuilder#batchKey} says another, that of the
   *     command its batches run as
   * @param work starts what answers all members of a batch
   */
  public <A extends @Nullable Object, R extends @Nullable Object>
      CollapserBuilder<A, R> asyncCollapser(String key, AsyncBatchCallWork<A, R> work) {
    return new CollapserBuilder<>(this, key, BatchBodies.asyncWithCall(work));
  }

  /**
   * Starts a collapser around a function that answers by position.
   *
   * @param key its name, and unless {@link CollapserBuilder#batchKey} says another, that of the
   *     command its batches run as
   * @param work returns as many answers as it is given arguments, in their order
   */
  public <A extends @Nullable Object, R extends @Nullable Object>
      CollapserBuilder<A, R> collapserByPosition(String key, PositionalBatchWork<A, R> work) {
    return new CollapserBuilder<>(this, key, BatchBodies.byPosition(key, work));
  }

  /**
   * Starts a collapser around a function that returns a stage of its answers, by argument. Isolated
   * by a semaphore unless set otherwise.
   *
   * @param key its name, and unless {@link CollapserBuilder#batchKey} says another, that of the
   *     command its batches run as
   * @param work starts what answers all members of a batch
   */
  public <A extends @Nullable Object, R extends @Nullable Object>
      CollapserBuilder<A, R> asyncCollapser(String key, AsyncBatchWork<A, R> work) {
    return new CollapserBuilder<>(this, key, BatchBodies.async(work));
  }

  /**
   * Sets a dynamic property in memory, above system properties and file: {@code
   * set("tenrec.command.GetQuote.execution.isolation.thread.timeoutInMilliseconds", "250")}. All
   * that depends on it uses the new value when this returns. A value that is refused leaves the
   * last good one in force, is logged and counted.
   *
   * @throws IllegalStateException if this Tenrec was given a source of its own
   */
  public void set(String property, String value) {
    own().set(property, value);
  }

  /**
   * Sets several, in one change: where there is a rule between properties, such as a pool's core
   * and its maximum, it is looked at when all of them are there, and no call sees some of them
   * without the others.
   *
   * @throws IllegalStateException if this Tenrec was given a source of its own
   */
  public void set(Map<String, String> properties) {
    own().set(properties);
  }

  /**
   * Takes a dynamic property out of memory again.
   *
   * @throws IllegalStateException if this Tenrec was given a source of its own
   */
  public void clear(String property) {
    own().clear(property);
  }

  /**
   * Takes several out of memory again, in one change.
   *
   * @throws IllegalStateException if this Tenrec was given a source of its own
   */
  public void clear(Collection<String> properties) {
    own().clear(properties);
  }

  /**
   * Has exactly {@code properties} as the weakest source, in one change, in the place of those
   * given to {@link TenrecBuilder#baseProperties} or here before: for an application whose
   * framework has read its environment again.
   *
   * @throws IllegalStateException if this Tenrec was given a source of its own
   */
  public void replaceBaseProperties(Map<String, String> properties) {
    own().replaceBase(properties);
  }

  private ArchaiusSource own() {
    if (ownSource == null) {
      throw new IllegalStateException(
          "this Tenrec was built with a source of its own: change its values there");
    }
    return ownSource;
  }

  /**
   * The value in force of a property: of a command, a pool or a collapser, by what the property
   * belongs to. One volatile read besides finding the key.
   *
   * @param property which; none of a semaphore's, a rate limiter's or a retry budget's
   * @param key of the command, pool or collapser
   * @return null if it is unset, or there is nothing of that key: a pool is made by the first
   *     command that runs on it
   * @throws IllegalArgumentException if the property is a semaphore's, a rate limiter's or a retry
   *     budget's
   */
  public <T> @Nullable T setting(Property<T> property, String key) {
    return registry.setting(property, key);
  }

  /**
   * The dynamic properties this Tenrec goes by and what it has made of them, of one moment. Waits
   * for a change that is being applied.
   */
  public ResolvedSettings resolvedSettings() {
    return shutdown.configuration().resolved();
  }

  /**
   * How the source of the settings stands to the store that it follows: that of {@link
   * TenrecBuilder#remoteSource}, as a fleet's member, or of {@link TenrecBuilder#source}. What it
   * throws is logged, and counts as nothing said.
   *
   * @return empty if there is no such source, or if it follows no store
   */
  public Optional<SourceStatus> sourceStatus() {
    return Optional.ofNullable(shutdown.configuration().sourceStatus());
  }

  /** How many dynamic values were refused so far. */
  public long refusedSettings() {
    return shutdown.configuration().refusedCount();
  }

  /**
   * How many fallbacks of timed-out calls found no room among the callback threads of their
   * command, or did not begin in time because all of these were blocked: their calls ended with the
   * first cause.
   */
  public long refusedCallbacks() {
    return engine.callbacks().refused();
  }

  /** The commands there are now, each live. */
  public List<CommandDetails> commands() {
    return registry.commands().stream().map(entry -> entry.runtime().view()).toList();
  }

  /** The collapsers there are now, each live. */
  public List<CollapserDetails> collapsers() {
    return registry.collapsers().stream().map(Collapsers.Entry::view).toList();
  }

  /** The thread pools there are now, each live. */
  public List<PoolDetails> pools() {
    return registry.pools().stream().map(Registry.Pool::view).toList();
  }

  /** The semaphores that commands share now, each live. */
  public List<SemaphoreDetails> semaphores() {
    return List.copyOf(registry.semaphores());
  }

  /** The rate limiters that commands share now, each live. */
  public List<RateLimiterDetails> rateLimiters() {
    return List.copyOf(registry.rateLimiters());
  }

  /** The budgets that commands share now for their retries and hedges, each live. */
  public List<RetryBudgetDetails> retryBudgets() {
    return List.copyOf(registry.retryBudgets());
  }

  /**
   * Has {@code listener} follow which commands, pools, semaphores, rate limiters, shared budgets
   * and collapsers there are: first it is given those there are, then each as it comes and goes. It
   * has those there are when this returns; only within a listener of settings or of the inventory,
   * they come when that has returned. Calls do not notice it. Closing this Tenrec removes none of
   * them.
   *
   * @return ends it
   */
  public Subscription follow(InventoryListener listener) {
    return registry.follow(Objects.requireNonNull(listener, "listener"));
  }

  /**
   * What happened, oldest first: the last 1,000 transitions of circuits, changed settings and
   * refused settings; and of each command that is there the last 16 records of calls that were
   * refused or timed out.
   */
  public List<JournalEntry> journal() {
    List<JournalEntry> all = new ArrayList<>(engine.journal().entries());
    registry.commands().forEach(entry -> all.addAll(entry.runtime().lastTrouble()));
    all.sort(Comparator.comparingLong(JournalEntry::number));
    return all;
  }

  /**
   * Emits what comes into the journal from the subscription on, in its order, on the callback
   * threads. No call and no change of settings waits for a subscriber. Every call stays on its fast
   * way, which a {@linkplain TenrecBuilder#listen listener} would take it off. Up to 1,000 entries
   * wait for a subscriber that is busy, and as many for one that has not asked for them; beyond
   * that it loses the oldest. Completes when this Tenrec begins to close.
   */
  public Flowable<JournalEntry> journalStream() {
    return journalled.stream();
  }

  /**
   * Why calls of this command were refused or timed out lately, and what would change it: sentences
   * with numbers, one a line.
   *
   * @throws IllegalArgumentException if there is no such command
   */
  public String explain(String key) {
    return command(key).view().explain();
  }

  /**
   * Closes the circuit of this command, unless it is closed: a transition as any other, in the
   * journal with its reason. The health starts from zero. A circuit that {@code
   * circuitBreaker.forceOpen} keeps open goes on refusing.
   *
   * @param why what the journal says
   * @return whether it was open or half-open
   * @throws IllegalArgumentException if there is no such command
   */
  public boolean closeCircuit(String key, String why) {
    return command(key).closeCircuit(Objects.requireNonNull(why, "why"));
  }

  /**
   * The rolling windows of this command's metrics begin now, with nothing in them, and with them
   * its health and its latencies; so do those of the collapsers whose batches run as it. What is
   * counted since the beginning goes on, for publishers, and the circuit stays as it is.
   *
   * @param key of the command, or of a collapser: then the command is that of its batches
   * @throws IllegalArgumentException if there is neither
   */
  public void resetMetrics(String key) {
    CommandRuntime command = command(registry.commandBehind(Objects.requireNonNull(key, "key")));
    command.resetMetrics();
    registry.collapsers().stream()
        .filter(entry -> entry.command().runtime() == command || entry.view().key().equals(key))
        .forEach(entry -> entry.runtime().resetMetrics());
  }

  /** As {@link #resetMetrics(String)}, for all commands and collapsers, and for all pools. */
  public void resetMetrics() {
    registry.commands().forEach(entry -> entry.runtime().resetMetrics());
    registry.collapsers().forEach(entry -> entry.runtime().resetMetrics());
    registry.pools().forEach(pool -> pool.runtime().resetMetrics());
  }

  private CommandRuntime command(String key) {
    Registry.Entry entry = registry.find(Objects.requireNonNull(key, "key"));
    if (entry == null) {
      throw new IllegalArgumentException("there is no command '" + key + "'");
    }
    return entry.runtime();
  }

  /** As {@link #snapshots(Duration)}, every {@link MetricStreams#DEFAULT_INTERVAL}. */
  public Flowable<TenrecSnapshot> snapshots() {
    return snapshots(MetricStreams.DEFAULT_INTERVAL);
  }

  /**
   * All commands, pools and collapsers there are, at once and every interval: what a publisher of
   * metrics lives by. Completes when this Tenrec begins to close; as for threads, slow subscribers
   * and sharing, it is as {@link MetricStreams} says.
   *
   * @param interval from {@link MetricStreams#SHORTEST_INTERVAL} to {@link
   *     MetricStreams#LONGEST_INTERVAL}
   * @throws IllegalArgumentException if it is not within these
   */
  public Flowable<TenrecSnapshot> snapshots(Duration interval) {
    return SampleFlowable.of(samplers, "snapshots", interval, () -> TenrecSnapshot.of(this));
  }

  /**
   * How many threads of this Tenrec's are alive: pools', timer, callbacks, settings. Virtual
   * threads count while they run.
   */
  public int liveThreads() {
    return shutdown.liveThreads();
  }

  /**
   * Takes a command out, or a collapser: its metrics, its circuit, its settings, and its pool if no
   * other command names it. Calls that begin later are rejected ({@link Command#isClosed}), until
   * the key is built anew; those in flight end by themselves, and count in the pool or shared
   * semaphore if it is named again meanwhile. The cost does not depend on how many commands there
   * are.
   *
   * @return whether there was one
   */
  public boolean remove(String key) {
    return registry.remove(key);
  }

  /** As {@link #close(Duration)} with five seconds. */
  @Override
  public void close() {
    close(Duration.ofSeconds(5));
  }

  /**
   * Rejects new calls, waits for those in flight, then interrupts what is left and ends it. No
   * thread of this Tenrec's is left but those stuck in user code. A call that was at the gates
   * meanwhile, or comes later, is rejected; its callback runs on a thread made for it, which ends
   * with it. Idempotent; an interrupt of the caller ends the waiting early and is kept.
   *
   * @param patience how long to wait before interrupting
   * @return the user code that is still running; also logged. On threads of this Tenrec's it runs
   *     although it was interrupted; callers' threads are not interrupted. Empty if another call of
   *     close came first
   */
  public List<StillRunning> close(Duration patience) {
    Objects.requireNonNull(patience, "patience"); // while nothing is closed
    StackReserve.checkFurther(); // or it might begin, and not come to its end
    StackRoom.require();
    samplers.end();
    finished.close();
    journalled.close();
    try {
      return shutdown.close(patience);
    } finally { // not before: a recording that begins meanwhile has what is ended by closing
      Flight.forget(sampledPools);
    }
  }

  long nanoTime() {
    return engine.ticker().nanoTime();
  }

  Requests requests() {
    return engine.requests();
  }

  Registry registry() {
    return registry;
  }

  Prelude prelude() {
    return prelude;
  }
}
