// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.launch;

import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.internal.config.EffectiveReader;
import dev.tenrec.core.internal.isolation.PoolState;
import dev.tenrec.core.view.PoolDetails;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.view.PoolSnapshot;
import java.util.List;

/** What publishers read of a pool. */
record LivePoolView(PoolRuntime pool, EffectiveReader effective, Ticker ticker)
    implements PoolDetails {

  @Override
  public List<EffectiveSetting> settings() {
    return effective.effective();
  }

  @Override
  public String key() {
    return pool.key();
  }

  @Override
  public int active() {
    return pool.workers().state().active();
  }

  @Override
  public int threads() {
    return pool.workers().state().threads();
  }

  @Override
  public int largestThreads() {
    return pool.workers().state().largest();
  }

  @Override
  public int rollingMaxActive() {
    return pool.metrics.rollingMaxActive(ticker.nanoTime());
  }

  @Override
  public int queued() {
    return pool.workers().state().queued();
  }

  @Override
  public int coreSize() {
    return pool.settings().coreSize();
  }

  @Override
  public int maximumSize() {
    return pool.settings().effectiveMaximum();
  }

  @Override
  public int queueCapacity() {
    return pool.settings().effectiveQueue();
  }

  @Override
  public long rollingExecuted() {
    return pool.metrics.rollingExecuted(ticker.nanoTime());
  }

  @Override
  public long cumulativeExecuted() {
    return pool.metrics.cumulativeExecuted();
  }

  @Override
  public long cumulativeCompleted() {
    return pool.workers().state().completed();
  }

  @Override
  public long rollingRejected() {
    return pool.metrics.rollingRejected(ticker.nanoTime());
  }

  @Override
  public long cumulativeRejected() {
    return pool.metrics.cumulativeRejected();
  }

  @Override
  public PoolSnapshot snapshot() {
    PoolState state = pool.workers().state();
    return new PoolSnapshot(
        key(),
        state.active(),
        state.threads(),
        state.largest(),
        rollingMaxActive(),
        state.queued(),
        coreSize(),
        maximumSize(),
        queueCapacity(),
        rollingExecuted(),
        cumulativeExecuted(),
        state.completed(),
        rollingRejected(),
        cumulativeRejected());
  }
}
