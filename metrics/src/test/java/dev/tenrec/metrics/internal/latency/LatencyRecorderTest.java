// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.latency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.metrics.internal.rolling.StripedCounters;
import dev.tenrec.metrics.internal.slots.LatencySlots;
import java.lang.reflect.Field;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LatencyRecorderTest {

  private static final int SLOT = 3;

  private final LatencyRecorder recorder = new LatencyRecorder();

  /** To count as many as it would take days to record. */
  private StripedCounters slots;

  @BeforeEach
  void findSlots() throws Exception {
    Field field = LatencyRecorder.class.getDeclaredField("slots");
    field.setAccessible(true);
    slots = (StripedCounters) field.get(recorder);
  }

  @Test
  void sum_ofNothing_endsAtTheFirstSlot() {
    assertThat(recorder.sum().count()).isZero();
    assertThat(recorder.sum().end()).isZero();
  }

  @Test
  void sum_ofAFew_endsBeyondTheLastOfThem() {
    recorder.record(LatencySlots.lowest(2));
    recorder.record(LatencySlots.lowest(5));
    recorder.record(LatencySlots.lowest(5));

    assertThat(recorder.sum().count()).isEqualTo(3);
    assertThat(recorder.sum().end()).isEqualTo(6);
  }

  @Test
  void sum_beyondHalfOfWhatAnIntHolds_isAll() {
    slots.add(SLOT, Integer.MAX_VALUE);
    assertThat(sum()).isEqualTo((1L << 31) - 1);
    slots.add(SLOT, 1);
    assertThat(sum()).isEqualTo(1L << 31);
  }

  @Test
  void sum_whenTheSlotsHaveWrappedAroundToZero_isAll() {
    slots.add(SLOT, Integer.MAX_VALUE);
    slots.add(SLOT, 1);
    assertThat(sum()).isEqualTo(1L << 31);
    slots.add(SLOT, Integer.MAX_VALUE);
    slots.add(SLOT, 1);

    assertThat(slots.sum()).isZero();
    assertThat(sum()).isEqualTo(1L << 32);
  }

  @Test
  void roll_beforeTheSlotsWrapAround_keepsWhatTheyHeld() {
    for (int bucket = 1; bucket <= 5; bucket++) {
      slots.add(SLOT, Integer.MAX_VALUE);
      recorder.roll(bucket, bucket);
    }

    assertThat(sum()).isEqualTo(5L * Integer.MAX_VALUE);
  }

  @Test
  void restart_beforeTheSlotsWrapAround_keepsWhatTheyHeld() {
    for (int time = 1; time <= 5; time++) {
      slots.add(SLOT, Integer.MAX_VALUE);
      recorder.restart();
    }

    assertThat(sum()).isEqualTo(5L * Integer.MAX_VALUE);
  }

  private long sum() {
    long[] sums = new long[LatencySlots.COUNT];
    recorder.sum().addTo(sums);
    return sums[SLOT];
  }
}
