// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.deadline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.DeadlineHeader;
import dev.tenrec.core.kit.Fuzz;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever a header has, it is a time from nothing to ten years, or refused in few words. */
class DeadlineHeaderFuzzTest {

  private static final Duration LONGEST = Duration.ofDays(3_650);
  private static final List<DeadlineHeader> FORMS =
      List.of(DeadlineHeader.MILLIS, DeadlineHeader.GRPC);

  @Test
  void anyText_isATimeOrRefused() {
    Fuzz.rounds(Fuzz.IN_EACH_BUILD, DeadlineHeaderFuzzTest::text);
  }

  @Tag("long")
  @Test
  void manyTexts_areTimesOrRefused() {
    Fuzz.rounds(Fuzz.LONG, DeadlineHeaderFuzzTest::text);
  }

  private static void text(Random random) {
    String text = Fuzz.text(random).repeat(1 + random.nextInt(50));
    for (DeadlineHeader header : FORMS) {
      try {
        Duration left = header.read(text);
        assertThat(left).isBetween(Duration.ZERO, LONGEST);
        assertThat(header.read(header.write(left))).isEqualTo(left);
      } catch (IllegalArgumentException refused) {
        assertThat(refused).hasMessageStartingWith(header.name());
        assertThat(refused.getMessage()).hasSizeLessThan(200);
      }
    }
  }

  @Test
  void anyTime_isWrittenAsItIsOrALittleLess() {
    Fuzz.rounds(Fuzz.IN_EACH_BUILD, DeadlineHeaderFuzzTest::time);
  }

  @Tag("long")
  @Test
  void manyTimes_areWrittenAsTheyAreOrALittleLess() {
    Fuzz.rounds(Fuzz.LONG, DeadlineHeaderFuzzTest::time);
  }

  private static void time(Random random) {
    Duration left =
        Duration.ofSeconds(
            random.nextLong() >>> 1 + random.nextInt(63), random.nextInt(1_000_000_000));
    Duration most = left.compareTo(LONGEST) < 0 ? left : LONGEST;
    assertThat(DeadlineHeader.MILLIS.read(DeadlineHeader.MILLIS.write(left)))
        .isEqualTo(Duration.ofMillis(most.toMillis()));
    String grpc = DeadlineHeader.GRPC.write(left);
    assertThat(grpc).matches("\\d{1,8}[HMSmun]");
    Duration read = DeadlineHeader.GRPC.read(grpc);
    assertThat(read).isLessThanOrEqualTo(most);
    // eight digits of a time: what is cut off is less than a millionth, or under a nanosecond
    assertThat(most.minus(read)).isLessThanOrEqualTo(most.dividedBy(99_999));
  }
}
