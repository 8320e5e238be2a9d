// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.rolling;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RollingMaximumTest {

  private final RollingMaximum maximum = new RollingMaximum();

  @Test
  void since_nothingSeen_isZero() {
    maximum.see(10, 0);
    assertThat(maximum.since(-100)).isZero();
  }

  @Test
  void since_greatestAgedOut_isTheNextGreatest() {
    maximum.see(10, 9);
    maximum.see(20, 3);
    maximum.see(30, 5);
    maximum.see(40, 1);
    assertThat(maximum.since(0)).isEqualTo(9);
    assertThat(maximum.since(9)).isEqualTo(9);
    assertThat(maximum.since(10)).isEqualTo(5);
    assertThat(maximum.since(30)).isEqualTo(1);
    assertThat(maximum.since(40)).isZero();
  }

  @Test
  void see_asGreatInABucketThatEndsEarlier_takesTheOthersPlace() {
    maximum.see(20, 4);
    maximum.see(15, 4); // after a change to shorter buckets
    assertThat(maximum.since(14)).isEqualTo(4);
    assertThat(maximum.since(15)).isZero();
  }

  @Test
  void see_smallerInTheSameBucket_isNoPeakOfItsOwn() {
    maximum.see(10, 4);
    maximum.see(10, 2);
    assertThat(maximum.since(9)).isEqualTo(4);
    assertThat(maximum.since(10)).isZero();
  }
}
