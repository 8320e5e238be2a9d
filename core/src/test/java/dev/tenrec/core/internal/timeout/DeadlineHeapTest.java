// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.timeout;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeadlineHeapTest {

  private static final long START = -1_000;

  /** The period of sweeping for each node there is. */
  private static final long PER_NODE = 400;

  private final DeadlineHeap heap = new DeadlineHeap(START);

  private List<TestTimeout> filled(int nodes) {
    List<TestTimeout> all =
        Stream.generate(() -> new TestTimeout(Long.MAX_VALUE / 2)).limit(nodes).toList();
    all.forEach(heap::add);
    return all;
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 10, Long.MIN_VALUE + 10})
  void takeDue_always_isTheEarliestWhoseDeadlineHasCome(long base) {
    TestTimeout late = new TestTimeout(base + 20);
    TestTimeout early = new TestTimeout(base + 5);
    TestTimeout middle = new TestTimeout(base + 15);
    Stream.of(late, early, middle).forEach(heap::add);

    assertThat(heap.takeDue(base + 4)).isNull();
    assertThat(heap.takeDue(base + 5)).isSameAs(early);
    assertThat(heap.size()).isEqualTo(2);
    assertThat(heap.takeDue(base + 5)).isNull();
    assertThat(heap.takeDue(base + 30)).isSameAs(middle);
    assertThat(heap.takeDue(base + 30)).isSameAs(late);
    assertThat(heap.takeDue(base + 30)).isNull();
    assertThat(heap.size()).isZero();
  }

  @Test
  void earliest_always_isOneThatHasNotEnded() {
    TestTimeout ended = new TestTimeout(1);
    TestTimeout live = new TestTimeout(2);
    assertThat(heap.earliest()).isNull();
    heap.add(ended);
    heap.add(live);
    assertThat(heap.earliest()).isSameAs(ended);
    assertThat(heap.size()).isEqualTo(2);
    ended.ended = true;
    assertThat(heap.earliest()).isSameAs(live);
    assertThat(heap.size()).isOne();
    assertThat(heap.earliest()).as("it stays").isSameAs(live);
    live.ended = true;
    assertThat(heap.earliest()).isNull();
  }

  @Test
  void sweep_ofASmallHeap_waitsForItsPeriod() {
    filled(64).get(63).ended = true;
    heap.sweepIfDue(START + 64 * PER_NODE - 1);
    assertThat(heap.size()).isEqualTo(64);
    heap.sweepIfDue(START + 64 * PER_NODE);
    assertThat(heap.size()).isEqualTo(63);
  }

  @Test
  void sweep_anew_waitsForItsPeriodFromTheLastOne() {
    List<TestTimeout> all = filled(10);
    long first = START + 10 * PER_NODE;
    heap.sweepIfDue(first);
    all.get(9).ended = true;
    heap.sweepIfDue(first + 10 * PER_NODE - 1);
    assertThat(heap.size()).isEqualTo(10);
    heap.sweepIfDue(first + 10 * PER_NODE);
    assertThat(heap.size()).isEqualTo(9);
  }

  /** At once, whatever the time. */
  @Test
  void sweep_ofAHeapThatHasDoubled_isDue() {
    filled(65).get(64).ended = true;
    heap.sweepIfDue(START);
    assertThat(heap.size()).isEqualTo(64);

    filled(63).get(62).ended = true;
    heap.sweepIfDue(START);
    assertThat(heap.size()).as("not twice as many yet").isEqualTo(127);

    filled(1);
    heap.sweepIfDue(START);
    assertThat(heap.size()).isEqualTo(127);
    filled(126);
    heap.sweepIfDue(START);
    assertThat(heap.size()).isEqualTo(253);
  }

  /**
   * The room of a peak is given back if hardly any of it is used; then the next peak takes memory.
   */
  @ParameterizedTest
  @CsvSource({"1024, 0, false", "1025, 0, true", "1600, 200, false", "1600, 199, true"})
  void sweep_afterAPeak_givesItsRoomBack(int peak, int live, boolean givesBack) {
    long warm = allocated(); // what the measuring takes once
    assertThat(warm).isPositive();
    List<TestTimeout> all = filled(peak);
    all.subList(live, peak).forEach(timeout -> timeout.ended = true);
    heap.sweepIfDue(START + peak * PER_NODE);
    assertThat(heap.size()).isEqualTo(live);
    List<TestTimeout> again =
        Stream.generate(() -> new TestTimeout(Long.MAX_VALUE / 2)).limit(peak - live).toList();

    long before = allocated();
    for (int i = 0; i < again.size(); i++) {
      heap.add(again.get(i));
    }
    long taken = allocated() - before;

    assertThat(taken >= peak * 4L).as("%d bytes", taken).isEqualTo(givesBack);
    assertThat(heap.size()).isEqualTo(peak);
    assertThat(heap.takeDue(Long.MAX_VALUE / 2)).isNotNull();
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  @Test
  void moveTo_always_leavesNothing() {
    List<TestTimeout> all = filled(3);
    all.get(1).ended = true;
    ClosedTimeouts closed = new ClosedTimeouts();
    heap.moveTo(closed);
    assertThat(heap.size()).isZero();
    assertThat(heap.earliest()).isNull();
    assertThat(closed).containsExactlyInAnyOrder(all.get(0), all.get(2));
  }
}
