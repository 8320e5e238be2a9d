// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.internal.config.EffectiveReader;
import dev.tenrec.core.view.CollapserDetails;
import dev.tenrec.metrics.latency.SizeSnapshot;
import dev.tenrec.metrics.latency.SizeTotals;
import dev.tenrec.metrics.view.CollapserSnapshot;
import java.util.List;

/** What publishers read of a collapser. */
record LiveCollapserView(CollapserRuntime runtime, EffectiveReader effective)
    implements CollapserDetails {

  @Override
  public List<EffectiveSetting> settings() {
    return effective.effective();
  }

  @Override
  public String key() {
    return runtime.key();
  }

  @Override
  public long rollingBatches() {
    return runtime.metrics.rollingBatches(runtime.now());
  }

  @Override
  public long cumulativeBatches() {
    return runtime.metrics.cumulativeBatches();
  }

  @Override
  public long rollingMembers() {
    return runtime.metrics.rollingMembers(runtime.now());
  }

  @Override
  public long cumulativeMembers() {
    return runtime.metrics.cumulativeMembers();
  }

  @Override
  public long rollingCacheHits() {
    return runtime.metrics.rollingCacheHits(runtime.now());
  }

  @Override
  public long cumulativeCacheHits() {
    return runtime.metrics.cumulativeCacheHits();
  }

  @Override
  public SizeSnapshot batchSize() {
    return runtime.metrics.batchSizes(runtime.now());
  }

  @Override
  public SizeTotals batchSizeTotals() {
    return runtime.metrics.batchSizeTotals();
  }

  @Override
  public int maxRequestsInBatch() {
    return runtime.settings().maxRequestsInBatch();
  }

  @Override
  public long timerDelayNanos() {
    return runtime.settings().timerDelayNanos();
  }

  @Override
  public boolean requestCacheEnabled() {
    return runtime.settings().requestCacheEnabled();
  }

  @Override
  public CollapserSnapshot snapshot() {
    return new CollapserSnapshot(
        key(),
        rollingBatches(),
        cumulativeBatches(),
        rollingMembers(),
        cumulativeMembers(),
        rollingCacheHits(),
        cumulativeCacheHits(),
        batchSize(),
        batchSizeTotals(),
        maxRequestsInBatch(),
        timerDelayNanos(),
        requestCacheEnabled());
  }
}
