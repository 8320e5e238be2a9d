// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.slots;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatencySlotsTest {

  @Test
  void indexOf_lowestOfEachSlot_isThatSlotAndOneLessIsTheOneBefore() {
    for (int slot = 0; slot < LatencySlots.COUNT; slot++) {
      assertThat(LatencySlots.indexOf(LatencySlots.lowest(slot))).isEqualTo(slot);
      assertThat(LatencySlots.indexOf(LatencySlots.midpoint(slot))).isEqualTo(slot);
      if (slot > 0) {
        assertThat(LatencySlots.indexOf(LatencySlots.lowest(slot) - 1)).isEqualTo(slot - 1);
      }
    }
  }

  @Test
  void midpoint_fromFourMicrosecondsToAMinute_isWithinTheStatedError() {
    double worst = 0;
    for (int slot = LatencySlots.indexOf(4_000);
        slot <= LatencySlots.indexOf(60_000_000_000L);
        slot++) {
      long midpoint = LatencySlots.midpoint(slot);
      // the error grows towards a slot's edges, so these two are its worst
      long lowest = LatencySlots.lowest(slot);
      long highest = LatencySlots.lowest(slot + 1) - 1;
      worst = Math.max(worst, Math.abs(midpoint - lowest) / (double) lowest);
      worst = Math.max(worst, Math.abs(highest - midpoint) / (double) highest);
    }
    // reached at each octave's first latency
    assertThat(worst).isEqualTo(LatencySlots.MAX_RELATIVE_ERROR);
  }

  @Test
  void midpoint_belowTwoMicroseconds_isWithinHalfAUnit() {
    for (long latency = 0; latency < 2_048; latency++) {
      assertThat(Math.abs(LatencySlots.midpoint(LatencySlots.indexOf(latency)) - latency))
          .isLessThanOrEqualTo(32);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 0",
    "-9223372036854775808, 0",
    "0, 0",
    "63, 0",
    "64, 1",
    "68719476735, 831",
    "68719476736, 831",
    "9223372036854775807, 831"
  })
  void indexOf_outsideTheRange_isTheNearestSlot(long latency, int slot) {
    assertThat(LatencySlots.indexOf(latency)).isEqualTo(slot);
  }
}
