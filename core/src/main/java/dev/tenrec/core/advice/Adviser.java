// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.advice;

import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.config.Property;
import dev.tenrec.core.internal.gate.SemaphoreUser;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.core.view.PoolDetails;
import dev.tenrec.metrics.event.EventCounts;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.view.CommandTotals;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches one command, and says which settings it should have by the figures since then. It reads
 * the counts that exist, so that no call notices it, and it changes nothing.
 *
 * <p>Watch while the load is the one that the settings are for, as at the peak hour, and while the
 * dependency is healthy. Thread-safe.
 */
public final class Adviser {

  private final CommandDetails command;
  private final Supplier<? extends Collection<PoolDetails>> pools;
  private final Ticker ticker;

  /** Written by {@code watch} and {@code restart}, read by any thread, ordered by the field. */
  private volatile Reading begun;

  /**
   * The most that were in flight at once, of the rolling windows that were looked at. Written by
   * any thread, read by any thread, guarded by this object.
   */
  private int most;

  /** What had been counted at a moment. */
  private record Reading(long nanos, CommandTotals totals, @Nullable String pool, long executed) {}

  private Adviser(
      CommandDetails command, Supplier<? extends Collection<PoolDetails>> pools, Ticker ticker) {
    this.command = Objects.requireNonNull(command, "command");
    this.pools = Objects.requireNonNull(pools, "pools");
    this.ticker = Objects.requireNonNull(ticker, "ticker");
    this.begun = read();
  }

  /**
   * Begins to watch a command now.
   *
   * @param command as a Tenrec has it: {@code tenrec.commands()}, or a command's {@code view()}
   * @param pools of the same Tenrec: {@code tenrec::pools}
   */
  public static Adviser watch(
      CommandDetails command, Supplier<? extends Collection<PoolDetails>> pools) {
    return watch(command, pools, Ticker.system());
  }

  /** Begins to watch a command now, by another clock. */
  public static Adviser watch(
      CommandDetails command, Supplier<? extends Collection<PoolDetails>> pools, Ticker ticker) {
    return new Adviser(command, pools, ticker);
  }

  /** Forgets what has happened so far. */
  public void restart() {
    begun = read();
    synchronized (this) {
      most = 0;
    }
  }

  /**
   * What the figures since the watch began say. Takes some milliseconds of the calling thread to
   * some hundred, for the proposed limits are tried by a replay. How many calls were in flight at
   * once is known of the rolling windows before each time that this is asked: so ask once in each,
   * that none of them is missed.
   */
  public Advice advise() {
    Reading from = begun;
    Reading to = read();
    String key = command.key();
    long nanos = to.nanos - from.nanos;
    if (nanos <= 0) {
      return Advice.withheld(key, "anything: the watch has only begun");
    }
    if (!Objects.equals(from.pool, to.pool)) {
      return Advice.withheld(key, "anything: it was moved to another pool; restart the watch");
    }
    PoolDetails pool = pool(to.pool);
    if (pool == null && command.concurrencyLimit() == 0) {
      return Advice.withheld(key, "anything: it has no permits, so it refuses every call");
    }
    return Counsel.on(
        new Observation(
            key,
            pool == null ? null : pool.key(),
            pool == null ? permits().name() : null,
            command instanceof SemaphoreUser user ? user.sharedSemaphore() : null,
            Duration.ofNanos(nanos),
            since(from.totals.events(), to.totals.events()),
            to.totals.execution().since(from.totals.execution()),
            mostInFlight(),
            others(from, to),
            command.stillBusy(),
            limits(pool),
            in(CommandProperties.TIMEOUT),
            command.fallbackConcurrencyLimit(),
            in(CommandProperties.ERROR_THRESHOLD_PERCENTAGE),
            in(CommandProperties.REQUEST_VOLUME_THRESHOLD),
            in(CommandProperties.ROLLING_WINDOW)));
  }

  private Reading read() {
    long nanos = ticker.nanoTime();
    PoolDetails pool = pool(command.threadPoolKey());
    return new Reading(
        nanos,
        command.totals(),
        command.threadPoolKey(),
        pool == null ? 0 : pool.cumulativeExecuted());
  }

  private synchronized int mostInFlight() {
    most = Math.max(most, command.rollingMaxConcurrency());
    return most;
  }

  private @Nullable PoolDetails pool(@Nullable String key) {
    return pools.get().stream().filter(each -> each.key().equals(key)).findFirst().orElse(null);
  }

  private static EventCounts since(EventCounts earlier, EventCounts later) {
    return EventCounts.of(event -> later.get(event) - earlier.get(event));
  }

  /** What the pool executed for others: its own calls may be counted a moment later than there. */
  private static long others(Reading from, Reading to) {
    long own = to.totals.execution().count() - from.totals.execution().count();
    return Math.max(0, to.executed - from.executed - own);
  }

  private Limits limits(@Nullable PoolDetails pool) {
    Duration timeout = in(CommandProperties.TIMEOUT_ENABLED) ? in(CommandProperties.TIMEOUT) : null;
    return pool == null
        ? Limits.ofPermits(timeout, command.concurrencyLimit())
        : new Limits(timeout, pool.coreSize(), pool.queueCapacity(), pool.maximumSize());
  }

  private Property<Integer> permits() {
    return in(CommandProperties.ISOLATION_STRATEGY) == IsolationStrategy.VIRTUAL_THREAD
        ? CommandProperties.VIRTUAL_THREAD_MAX_CONCURRENT
        : CommandProperties.SEMAPHORE_MAX_CONCURRENT;
  }

  /** The value in force. */
  private <T> T in(Property<T> property) {
    for (EffectiveSetting setting : command.settings()) {
      String value = setting.value();
      if (value != null && setting.property().equals(property.name())) {
        return property.read(property.name(), value);
      }
    }
    throw new IllegalStateException("command " + command.key() + " does not list " + property);
  }
}
