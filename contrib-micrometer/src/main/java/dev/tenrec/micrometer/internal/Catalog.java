// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.breaker.TransitionReason;
import dev.tenrec.core.config.SourceStatus;
import dev.tenrec.core.view.CollapserDetails;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.core.view.PoolDetails;
import dev.tenrec.core.view.RateLimiterDetails;
import dev.tenrec.core.view.RetryBudgetDetails;
import dev.tenrec.core.view.SemaphoreDetails;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.metrics.view.PoolView;
import dev.tenrec.micrometer.internal.Family.Series;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.ToDoubleFunction;

/** Every meter there is. The latencies, which are no single numbers, have their names here only. */
public final class Catalog {

  /** From the work's start to its end. */
  public static final String EXECUTION = "tenrec.command.execution";

  /** What a scrape says of it. */
  public static final String EXECUTION_HELP = "From the work's start to its end";

  /** From the call to its answer. */
  public static final String CALLER = "tenrec.command.caller";

  /** What a scrape says of it. */
  public static final String CALLER_HELP = "From the call to its answer, a fallback included";

  /** How many arguments the batches of a collapser had. */
  public static final String BATCH_SIZE = "tenrec.collapser.batch.size";

  /** What a scrape says of it. */
  public static final String BATCH_SIZE_HELP = "How many arguments the batches had";

  /** The gauge that there is always one of. */
  public static final String COMMANDS = "tenrec.commands";

  /** Of one command. */
  public static final List<Family<CommandReader>> OF_COMMAND =
      List.of(
          new Family<>(
              "tenrec.command.events",
              "How often each event happened",
              true,
              Arrays.stream(EventType.values())
                  .map(
                      event ->
                          new Series<CommandReader>(
                              Tags.of("event", lower(event)), reader -> reader.count(event)))
                  .toList()),
          Family.counter(
              "tenrec.command.would.refuse",
              "Calls that were let through only because the circuit observes",
              CommandReader::wouldRefuse),
          Family.counter(
              "tenrec.command.abandoned",
              "Stages that lost their permit because they did not end",
              CommandReader::abandoned),
          Family.gauge(
              "tenrec.command.concurrency",
              "Executions in flight",
              reader -> reader.details().concurrency()),
          Family.gauge(
              "tenrec.command.concurrency.max",
              "The most executions in flight at once in the rolling window",
              reader -> reader.details().rollingMaxConcurrency()),
          Family.gauge(
              "tenrec.command.concurrency.limit",
              "How many executions may be in flight",
              reader -> reader.details().concurrencyLimit()),
          Family.gauge(
              "tenrec.command.fallback.concurrency",
              "Fallbacks in flight",
              reader -> reader.details().fallbackConcurrency()),
          Family.gauge(
              "tenrec.command.fallback.concurrency.limit",
              "How many fallbacks may be in flight",
              reader -> reader.details().fallbackConcurrencyLimit()),
          Family.gauge(
              "tenrec.command.still.busy",
              "Works that go on although their execution has been answered",
              reader -> reader.details().stillBusy()),
          new Family<>(
              "tenrec.circuit.state",
              "1 for the state that the circuit is in, 0 for the others",
              false,
              Arrays.stream(CircuitState.values())
                  .map(
                      state ->
                          new Series<CommandReader>(
                              Tags.of("state", lower(state)),
                              reader -> reader.circuitState() == state ? 1 : 0))
                  .toList()),
          new Family<>(
              "tenrec.circuit.transitions",
              "How often the circuit changed its state; empty tags: too often to keep the reason",
              true,
              transitions()));

  /** Of one pool. */
  public static final List<Family<PoolDetails>> OF_POOL =
      List.of(
          new Family<>(
              "tenrec.pool.threads",
              "Threads there are, at work and idle",
              false,
              List.of(
                  new Series<>(Tags.of("state", "active"), PoolDetails::active),
                  new Series<>(
                      Tags.of("state", "idle"),
                      // two readings of a pool that works meanwhile
                      pool -> Math.max(0, pool.threads() - pool.active())))),
          Family.gauge(
              "tenrec.pool.queued", "Executions that wait for a thread", PoolDetails::queued),
          new Family<>(
              "tenrec.pool.size",
              "How large it may get: core and maximum of the threads, and the queue",
              false,
              List.of(
                  new Series<>(Tags.of("kind", "core"), PoolDetails::coreSize),
                  new Series<>(Tags.of("kind", "maximum"), PoolDetails::maximumSize),
                  new Series<>(Tags.of("kind", "queue"), Catalog::queueCapacity))),
          Family.counter(
              "tenrec.pool.executed",
              "Executions that a thread took up",
              PoolDetails::cumulativeExecuted),
          Family.counter(
              "tenrec.pool.completed",
              "Executions whose work has stopped",
              PoolDetails::cumulativeCompleted),
          Family.counter(
              "tenrec.pool.rejected",
              "Executions that found the pool full",
              PoolDetails::cumulativeRejected));

  /** Of one shared semaphore. */
  public static final List<Family<SemaphoreDetails>> OF_SEMAPHORE =
      List.of(
          Family.gauge(
              "tenrec.semaphore.concurrency", "Permits that are taken", SemaphoreDetails::inUse),
          Family.gauge(
              "tenrec.semaphore.concurrency.limit",
              "How many permits there are",
              SemaphoreDetails::limit));

  /** Of one shared rate limiter. */
  public static final List<Family<RateLimiterDetails>> OF_RATE_LIMITER =
      List.of(
          Family.gauge(
              "tenrec.ratelimiter.available",
              "Permits that are saved up, of calls without a key",
              RateLimiterDetails::available),
          Family.gauge(
              "tenrec.ratelimiter.keys",
              "Keys that have a rate of their own",
              RateLimiterDetails::keys));

  /** Of one shared budget of retries and hedges. */
  public static final List<Family<RetryBudgetDetails>> OF_RETRY_BUDGET =
      List.of(
          Family.gauge(
              "tenrec.retrybudget.spent",
              "Retries and hedges that were drawn in the last ten seconds",
              RetryBudgetDetails::spent),
          Family.gauge(
              "tenrec.retrybudget.available",
              "Retries and hedges that could be drawn now",
              RetryBudgetDetails::available));

  /** Of one collapser. */
  public static final List<Family<CollapserDetails>> OF_COLLAPSER =
      List.of(
          Family.counter(
              "tenrec.collapser.batches", "Batches started", CollapserDetails::cumulativeBatches),
          Family.counter(
              "tenrec.collapser.members",
              "Calls that batches were started for",
              CollapserDetails::cumulativeMembers),
          Family.counter(
              "tenrec.collapser.cache.hits",
              "Calls that the request cache answered",
              CollapserDetails::cumulativeCacheHits));

  /** Of the whole. */
  public static final List<Family<Tenrec>> OF_TENREC =
      List.of(
          Family.gauge(COMMANDS, "Commands there are", tenrec -> tenrec.commands().size()),
          Family.gauge("tenrec.threads", "Threads of Tenrec's that are alive", Tenrec::liveThreads),
          Family.counter(
              "tenrec.settings.refused",
              "Dynamic values that were refused",
              Tenrec::refusedSettings),
          Family.counter(
              "tenrec.callbacks.refused",
              "Fallbacks of timed-out calls that found no callback thread",
              Tenrec::refusedCallbacks));

  /** Of how the settings' source stands to its store, where it has one. */
  public static final List<Family<Tenrec>> OF_SOURCE =
      List.of(
          Family.gauge(
              "tenrec.settings.connected",
              "1 while the store of the settings is reached; else they stay as they are",
              tenrec -> ofSource(tenrec, status -> status.connected() ? 1 : 0)),
          Family.gauge(
              "tenrec.settings.version",
              "The version of the store's settings that is in force",
              tenrec -> ofSource(tenrec, SourceStatus::version)),
          Family.gauge(
              "tenrec.settings.alarms",
              "What is wrong with what the store has, or with where it is kept",
              tenrec -> ofSource(tenrec, status -> status.alarms().size())));

  /** Longer keys are cut: each of a command's series repeats them, in every scrape. */
  private static final int LONGEST = 500;

  private Catalog() {}

  /** The tags of a command. */
  public static Tags tags(CommandDetails command) {
    return Tags.of("command", value(command.key()), "group", value(command.group()));
  }

  /** The tags of a pool. */
  public static Tags tags(PoolDetails pool) {
    return Tags.of("pool", value(pool.key()));
  }

  /** The tags of a shared semaphore. */
  public static Tags tags(SemaphoreDetails semaphore) {
    return Tags.of("semaphore", value(semaphore.name()));
  }

  /** The tags of a shared rate limiter. */
  public static Tags tags(RateLimiterDetails limiter) {
    return Tags.of("ratelimiter", value(limiter.name()));
  }

  /** The tags of a shared budget. */
  public static Tags tags(RetryBudgetDetails budget) {
    return Tags.of("retrybudget", value(budget.name()));
  }

  /** The tags of a collapser. */
  public static Tags tags(CollapserDetails collapser) {
    return Tags.of("collapser", value(collapser.key()));
  }

  /** The key itself if it is not too long; else its beginning, and a hash that keeps it its own. */
  private static String value(String key) {
    if (key.length() <= LONGEST) {
      return key;
    }
    int end = Character.isHighSurrogate(key.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
    return key.substring(0, end) + "~" + UUID.nameUUIDFromBytes(key.getBytes(UTF_8));
  }

  private static double ofSource(Tenrec tenrec, ToDoubleFunction<SourceStatus> value) {
    return tenrec.sourceStatus().map(value::applyAsDouble).orElse(Double.NaN);
  }

  private static double queueCapacity(PoolDetails pool) {
    int capacity = pool.queueCapacity();
    return capacity == PoolView.UNBOUNDED ? Double.POSITIVE_INFINITY : capacity;
  }

  private static List<Series<CommandReader>> transitions() {
    List<Series<CommandReader>> all = new ArrayList<>();
    for (TransitionReason reason : TransitionReason.values()) {
      all.add(
          new Series<>(
              Tags.of("to", lower(target(reason)), "reason", lower(reason)),
              reader -> reader.transitions(reason)));
    }
    all.add(new Series<>(Tags.of("to", "", "reason", ""), CommandReader::missedTransitions));
    return List.copyOf(all);
  }

  private static CircuitState target(TransitionReason reason) {
    return switch (reason) {
      case THRESHOLD_REACHED, TRIAL_FAILED -> CircuitState.OPEN;
      case SLEEP_WINDOW_OVER -> CircuitState.HALF_OPEN;
      case TRIALS_SUCCEEDED, CLOSED_BY_HAND -> CircuitState.CLOSED;
    };
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
