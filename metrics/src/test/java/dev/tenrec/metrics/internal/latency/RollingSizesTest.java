// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A minute in six buckets, from the moment 0 on. */
class RollingSizesTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final RollingSizes sizes = new RollingSizes(60 * SECOND, 6, 0);

  @Test
  void reconfigure_afterBuckets_closesThemFirst() {
    sizes.record(3);
    sizes.reconfigure(60 * SECOND, 6, 35 * SECOND);
    sizes.record(4);
    sizes.roll(65 * SECOND); // the window begins at 15 s, the first size came before 10 s

    assertThat(sizes.window(65 * SECOND).count()).isEqualTo(1);
    assertThat(sizes.window(65 * SECOND).min()).isEqualTo(4);
    assertThat(sizes.totals().count()).isEqualTo(2);
  }

  @Test
  void reconfigure_withinABucket_closesItAtOnce() {
    sizes.record(3);
    sizes.reconfigure(60 * SECOND, 6, 5 * SECOND);
    sizes.record(4);
    sizes.roll(55 * SECOND); // the window begins at 5 s

    assertThat(sizes.window(55 * SECOND).count()).isEqualTo(1);
    assertThat(sizes.window(55 * SECOND).min()).isEqualTo(4);
  }
}
