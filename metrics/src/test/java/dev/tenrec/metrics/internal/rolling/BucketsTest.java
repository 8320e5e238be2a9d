// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.rolling;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BucketsTest {

  private final Buckets buckets = new Buckets(100, 10, -7);

  @Test
  void isDue_atTheBoundary_notBefore() {
    assertThat(buckets.next()).isEqualTo(3);
    assertThat(buckets.isDue(2)).isFalse();
    assertThat(buckets.isDue(3)).isTrue();
  }

  @Test
  void moveOn_pastSeveralBuckets_keepsTheGrid() {
    buckets.moveOn(48);
    assertThat(buckets.next()).isEqualTo(53);
    buckets.moveOn(53);
    assertThat(buckets.next()).isEqualTo(63);
  }

  @Test
  void windowStart_countsTheCurrentBucket() {
    buckets.moveOn(100);
    assertThat(buckets.end(100)).isEqualTo(103);
    assertThat(buckets.windowStart(100)).isEqualTo(3);
    assertThat(buckets.windowStart(103)).isEqualTo(13);
  }

  @Test
  void windowStart_ofAnEarlierReading_isThatReadingsOwn() {
    buckets.moveOn(100);
    assertThat(buckets.windowStart(92)).isEqualTo(-7);
  }
}
