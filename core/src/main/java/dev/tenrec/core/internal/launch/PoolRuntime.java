// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.launch;

import dev.tenrec.core.internal.config.EffectiveReader;
import dev.tenrec.core.internal.config.PoolSettings;
import dev.tenrec.core.internal.isolation.DaemonThreads;
import dev.tenrec.core.internal.isolation.Permits;
import dev.tenrec.core.internal.isolation.PoolLimits;
import dev.tenrec.core.internal.isolation.WorkerPool;
import dev.tenrec.core.view.PoolDetails;
import dev.tenrec.metrics.internal.PoolMetrics;
import dev.tenrec.metrics.time.Ticker;

/**
 * A thread pool as its commands use it: the workers, and the settings that size them. Thread-safe.
 */
public final class PoolRuntime implements WorkStarter {

  private final String key;
  private final WorkerPool workers;
  private final DaemonThreads threads;
  private final Ticker ticker;
  final PoolMetrics metrics;

  /** Written by the thread that brings new settings, one at a time; read by views. */
  private volatile PoolSettings settings;

  /**
   * Makes the pool of one key.
   *
   * @param key the pool's key
   * @param settings its settings now
   * @param workers takes its tasks, sized by those
   * @param threads makes the threads for it
   * @param ticker reads time
   */
  public PoolRuntime(
      String key, PoolSettings settings, WorkerPool workers, DaemonThreads threads, Ticker ticker) {
    this.key = key;
    this.settings = settings;
    this.workers = workers;
    this.threads = threads;
    this.ticker = ticker;
    this.metrics =
        new PoolMetrics(
            settings.rollingWindowNanos(),
            settings.rollingBuckets(),
            ticker.nanoTime(),
            workers::takeMostActive);
  }

  /** The size that settings ask for. */
  public static PoolLimits limits(PoolSettings settings) {
    return new PoolLimits(
        settings.coreSize(),
        settings.effectiveMaximum(),
        settings.effectiveQueue(),
        settings.keepAliveNanos());
  }

  /** The settings have changed, or it is used again after it was {@linkplain #retire retired}. */
  public void settings(PoolSettings changed) {
    PoolSettings before = settings;
    if (before.rollingWindowNanos() != changed.rollingWindowNanos()
        || before.rollingBuckets() != changed.rollingBuckets()) {
      metrics.reconfigure(
          changed.rollingWindowNanos(), changed.rollingBuckets(), ticker.nanoTime());
    }
    settings = changed;
    workers.resize(limits(changed));
  }

  /**
   * No command names it any more, so that only calls come that were about to: its threads end as
   * soon as they are idle. Its permits stay, for those calls and for when it is named again.
   */
  public void retire() {
    PoolLimits present = limits(settings);
    workers.resize(new PoolLimits(0, present.maximum(), present.queue(), 0));
  }

  /** Whether no call is in it and it has no thread. */
  public boolean isQuiet() {
    return threads.live() == 0 && workers.permits().inUse() == 0;
  }

  @Override
  public void start(Launchable execution) {
    try {
      if (!workers.submit(execution)) {
        execution.findClosed();
      }
    } catch (Throwable thrown) { // the system has no thread to give
      execution.failToStart(thrown);
    }
  }

  @Override
  public void abandoned() {
    workers.abandoned();
  }

  @Override
  public void refused(long now) {
    metrics.countRejected(now);
  }

  @Override
  public void begun(long now) {
    metrics.countExecuted(now);
  }

  public Permits permits() {
    return workers.permits();
  }

  /** The pool's key. */
  public String key() {
    return key;
  }

  /**
   * The pool's numbers, live.
   *
   * @param effective reads its settings with the level each comes from
   */
  public PoolDetails view(EffectiveReader effective) {
    return new LivePoolView(this, effective, ticker);
  }

  /** The windows of its metrics begin now; what is counted since the beginning goes on. */
  public void resetMetrics() {
    metrics.restart(ticker.nanoTime());
  }

  /** Makes the pool's threads, and counts them. */
  public DaemonThreads threads() {
    return threads;
  }

  /** The pool's threads. */
  public WorkerPool workers() {
    return workers;
  }

  /** The settings now. */
  public PoolSettings settings() {
    return settings;
  }
}
