// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.gate;

import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.internal.config.CommandSettings;
import dev.tenrec.core.internal.isolation.Permits;
import dev.tenrec.core.internal.launch.InFlightMonitor;
import dev.tenrec.core.internal.launch.PoolRuntime;
import dev.tenrec.core.internal.launch.VirtualStarter;
import dev.tenrec.core.internal.launch.WorkStarter;
import dev.tenrec.core.outcome.CommandRejectedException.Reason;
import dev.tenrec.metrics.internal.ConcurrencyGauge;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What can bound one command, of which its settings choose one: a semaphore, a pool, or virtual
 * threads. Each is made when it is first chosen; calls that entered by an earlier choice leave
 * where they entered.
 */
public final class Bulkheads implements ConcurrencyGauge {

  private final String commandKey;
  private final String poolKey;
  private final @Nullable SharedSemaphore sharedSemaphore;
  private final Function<String, PoolRuntime> pools;
  private final VirtualStarter virtual;
  private final InFlightMonitor closing;

  // Each is written once, by the thread that plans, one at a time; read by any thread; volatile.
  private volatile @Nullable Permits semaphore;
  private volatile @Nullable Permits virtualPermits;

  /** Counts this command's calls on pools, whose permits are shared with other commands. */
  private volatile @Nullable Permits ownOnPools;

  /** Counts this command's calls under the semaphore that it shares with other commands. */
  private volatile @Nullable Permits ownOfShared;

  /** Limits the rate: the one it shares, or its own once its settings ask for one. */
  private volatile @Nullable RateGate rate;

  /**
   * Chooses nothing yet.
   *
   * @param commandKey the command's key
   * @param poolKey its pool's key, unless a setting overrides it
   * @param sharedSemaphore the semaphore it shares with other commands, or null for one of its own
   * @param sharedRate the rate limiter it shares with other commands, or null for one of its own
   * @param pools finds the pool of a key, or makes it
   * @param virtual starts its virtual threads
   * @param closing is notified of each call that has left
   */
  public Bulkheads(
      String commandKey,
      String poolKey,
      @Nullable SharedSemaphore sharedSemaphore,
      @Nullable RateGate sharedRate,
      Function<String, PoolRuntime> pools,
      VirtualStarter virtual,
      InFlightMonitor closing) {
    this.commandKey = commandKey;
    this.poolKey = poolKey;
    this.sharedSemaphore = sharedSemaphore;
    this.rate = sharedRate;
    this.pools = pools;
    this.virtual = virtual;
    this.closing = closing;
  }

  /**
   * Chooses by these settings. What is in use already is not resized by it, but by {@link #resize},
   * when the plan becomes the present one. Throws IllegalStateException where virtual threads are
   * chosen and the JVM has none.
   *
   * @param nowNanos when a rate limiter that is made by it is full
   */
  public Plan plan(CommandSettings settings, long nowNanos) {
    RateGate rateGate = settings.rateLimited() ? rateGate(settings, nowNanos) : null;
    return switch (settings.isolationStrategy()) {
      case SEMAPHORE ->
          new Plan(settings, rateGate, semaphoreGate(settings), WorkStarter.ON_CALLER);
      case VIRTUAL_THREAD -> new Plan(settings, rateGate, virtualGate(settings), virtual);
      case THREAD -> {
        PoolRuntime pool = pools.apply(poolKey(settings));
        yield new Plan(
            settings,
            rateGate,
            new BulkheadGate(pool.permits(), ownOnPools(), Reason.THREAD_POOL, pool.key(), closing),
            pool);
      }
    };
  }

  /** What is chosen by these settings has the size they say, too. */
  public void resize(CommandSettings settings, long nowNanos) {
    RateGate present = rate;
    if (present != null && !present.isShared() && settings.rateLimited()) {
      present.change(settings.rate(), nowNanos);
    }
    switch (settings.isolationStrategy()) {
      case SEMAPHORE -> resize(semaphore, settings.semaphoreMaxConcurrent());
      case VIRTUAL_THREAD -> resize(virtualPermits, settings.virtualThreadMaxConcurrent());
      case THREAD -> {} // the pool's own settings do
    }
  }

  private static void resize(@Nullable Permits permits, int limit) {
    if (permits != null && permits.limit() != limit) {
      permits.resize(limit);
    }
  }

  /** Refuses everything. */
  public Plan closed(CommandSettings settings) {
    return Plan.closed(
        settings, new BulkheadGate(new Permits(0), null, Reason.CLOSED, commandKey, closing));
  }

  public String poolKey(CommandSettings settings) {
    String override = settings.threadPoolKeyOverride();
    return override != null ? override : poolKey;
  }

  private RateGate rateGate(CommandSettings settings, long nowNanos) {
    RateGate present = rate;
    if (present == null) {
      rate = present = RateGate.of(commandKey, false, settings.rate(), nowNanos);
    }
    return present;
  }

  private BulkheadGate semaphoreGate(CommandSettings settings) {
    if (sharedSemaphore != null) {
      return new BulkheadGate(
          sharedSemaphore.permits(),
          ownOfShared(),
          Reason.SEMAPHORE,
          sharedSemaphore.name(),
          closing);
    }
    Permits permits = semaphore;
    if (permits == null) {
      semaphore = permits = new Permits(settings.semaphoreMaxConcurrent());
    }
    return new BulkheadGate(permits, null, Reason.SEMAPHORE, commandKey, closing);
  }

  private BulkheadGate virtualGate(CommandSettings settings) {
    virtual.requireSupported(commandKey + ": " + IsolationStrategy.VIRTUAL_THREAD);
    Permits permits = virtualPermits;
    if (permits == null) {
      virtualPermits = permits = new Permits(settings.virtualThreadMaxConcurrent());
    }
    return new BulkheadGate(permits, null, Reason.VIRTUAL_THREAD, commandKey, closing);
  }

  private Permits ownOnPools() {
    Permits present = ownOnPools;
    if (present == null) {
      ownOnPools = present = new Permits(Integer.MAX_VALUE);
    }
    return present;
  }

  private Permits ownOfShared() {
    Permits present = ownOfShared;
    if (present == null) {
      ownOfShared = present = new Permits(Integer.MAX_VALUE);
    }
    return present;
  }

  /** The name of the rate limiter that it shares; null if it shares none. */
  public @Nullable String sharedLimiter() {
    RateGate present = rate;
    return present != null && present.isShared() ? present.name() : null;
  }

  /** The name of the semaphore that it shares; null if it shares none. */
  public @Nullable String sharedSemaphore() {
    return sharedSemaphore == null ? null : sharedSemaphore.name();
  }

  /** Executions in flight, wherever they entered. */
  public int inUse() {
    return inUseOnCallers() + inUse(virtualPermits) + inUse(ownOnPools);
  }

  /** The greatest concurrency since this was last asked. */
  @Override
  public int takeMaximum() {
    return takeMaximum(semaphore)
        + takeMaximum(ownOfShared)
        + takeMaximum(virtualPermits)
        + takeMaximum(ownOnPools);
  }

  /**
   * Executions in flight that entered where the work stays on its caller's thread, whatever the
   * settings choose by now.
   */
  public int inUseOnCallers() {
    return inUse(semaphore) + inUse(ownOfShared);
  }

  /**
   * Nothing enters any more, not even by an earlier plan: permits of its own are none from now on.
   * Those it shares are for their other users; the ones of a pool refuse with the pool.
   */
  public void shut() {
    shut(semaphore);
    shut(virtualPermits);
  }

  /** After it was shut: whether nothing is in it, and nothing can enter any more. */
  public boolean isQuiet() {
    return isSpent(semaphore)
        && isSpent(virtualPermits)
        && inUse(ownOnPools) == 0
        && inUse(ownOfShared) == 0
        && (sharedSemaphore == null
            || sharedSemaphore.permits().limit() > 0 // others use it; none of this command's is out
            || sharedSemaphore.permits().isSpent());
  }

  private static boolean isSpent(@Nullable Permits permits) {
    return permits == null || permits.isSpent();
  }

  private static void shut(@Nullable Permits permits) {
    if (permits != null) {
      permits.resize(0);
    }
  }

  private static int inUse(@Nullable Permits permits) {
    return permits == null ? 0 : permits.inUse();
  }

  private static int takeMaximum(@Nullable Permits permits) {
    return permits == null ? 0 : permits.takeMaximum();
  }
}
