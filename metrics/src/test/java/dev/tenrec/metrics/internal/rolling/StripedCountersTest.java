// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.rolling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StripedCountersTest {

  @Test
  void add_fromOneThread_costsOneStripe() {
    StripedCounters counters = new StripedCounters(3);
    assertThat(counters.isUntouched()).isTrue();
    assertThat(counters.allocatedStripes()).isZero();

    counters.add(0);
    counters.add(2, 5);

    assertThat(counters.isUntouched()).isFalse();
    assertThat(counters.allocatedStripes()).isEqualTo(1);
    assertThat(totals(counters)).containsExactly(1, 0, 5);
    assertThat(counters.sum()).isEqualTo(6);
  }

  @Test
  void reserve_makesAStripeThatServesEveryThread() {
    StripedCounters counters = new StripedCounters(1);

    counters.reserve();
    counters.reserve();

    assertThat(counters.allocatedStripes()).isEqualTo(1);
    assertThat(counters.sum()).isZero();
  }

  @Test
  void reserve_withoutMemory_throwsAndLeavesNothingBehind() {
    StripedCounters counters =
        new StripedCounters(Integer.MAX_VALUE - 32); // no JVM has such arrays

    assertThatThrownBy(counters::reserve).isInstanceOf(OutOfMemoryError.class);

    assertThat(counters.isUntouched()).isTrue();
    assertThatThrownBy(() -> counters.add(0)).isInstanceOf(OutOfMemoryError.class);
    assertThat(counters.sum()).isZero();
  }

  @Test
  void add_fromManyThreads_isSummedOverTheirStripes() throws InterruptedException {
    StripedCounters counters = new StripedCounters(2);
    for (int t = 0; t < 32; t++) {
      Thread thread = new Thread(() -> counters.add(1));
      thread.start();
      thread.join();
    }
    assertThat(totals(counters)).containsExactly(0, 32);
    assertThat(counters.allocatedStripes()).isBetween(2, StripedCounters.STRIPES);
  }

  @Test
  void add_withoutMemoryForAStripe_countsInThatOfAnotherThread() throws Exception {
    StripedCounters counters = new StripedCounters(2);
    counters.add(0);
    Field size = StripedCounters.class.getDeclaredField("size");
    size.setAccessible(true);
    size.set(counters, Integer.MAX_VALUE - 32); // no JVM has such arrays
    for (int t = 0; t < 32; t++) {
      Thread thread = new Thread(() -> counters.add(1));
      thread.start();
      thread.join();
    }
    size.set(counters, 2);

    assertThat(totals(counters)).containsExactly(1, 32);
    assertThat(counters.allocatedStripes()).isEqualTo(1);
  }

  @Test
  void add_beyondTheIntRange_wrapsAndKeepsDifferencesRight() {
    StripedCounters counters = new StripedCounters(1);
    counters.add(0, Integer.MAX_VALUE);
    counters.add(0, Integer.MAX_VALUE);
    int before = counters.sum();
    counters.add(0, 7);

    assertThat(before).isEqualTo(-2);
    assertThat(counters.sum()).isEqualTo(5);
    assertThat(counters.sum() - before).isEqualTo(7);
  }

  @Test
  void stripeOf_idsThatFollowEachOther_differ() {
    assertThat(LongStream.range(1, 100_000))
        .allSatisfy(
            id ->
                assertThat(StripedCounters.stripeOf(id)).isBetween(0, StripedCounters.STRIPES - 1));
    if (StripedCounters.STRIPES >= 4) {
      assertThat(LongStream.range(1, 1000))
          .allSatisfy(
              id ->
                  assertThat(StripedCounters.stripeOf(id))
                      .isNotEqualTo(StripedCounters.stripeOf(id + 1)));
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "2, 4", "3, 8", "4, 8", "64, 8"})
  void stripesFor_cores_isTwiceAsManyUpToEight(int cores, int stripes) {
    assertThat(StripedCounters.stripesFor(cores)).isEqualTo(stripes);
  }

  private static int[] totals(StripedCounters counters) {
    int[] totals = new int[counters.size()];
    counters.sumInto(totals);
    return totals;
  }

  @Test
  void sum_ofAllCounters_isZeroBeforeTheFirst() {
    StripedCounters counters = new StripedCounters(3);
    assertThat(counters.sum()).isZero();
    counters.add(0);
    counters.add(1, 4);
    counters.add(2, 5);
    assertThat(counters.sum()).isEqualTo(10);
    assertThat(counters.size()).isEqualTo(3);
  }
}
