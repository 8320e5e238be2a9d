// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.deadline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.DeadlineHeader;
import dev.tenrec.core.kit.Fuzz;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever a header has, it is a time from nothing to ten years, or refused in few words. */
class DeadlineHeaderFuzzTest {

  private static final Duration LONGEST = Duration.ofDays(3_650);
  private static final List<DeadlineHeader> FORMS =
      List.of(DeadlineHeader.MILLIS, DeadlineHeader.GRPC);

  /** Of gRPC's protocol, in nanoseconds. */
  private static final Map<Character, Long> UNITS =
      Map.of(
          'H', 3_600_000_000_000L,
          'M', 60_000_000_000L,
          'S', 1_000_000_000L,
          'm', 1_000_000L,
          'u', 1_000L,
          'n', 1L);

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
    text(Fuzz.text(random).repeat(1 + random.nextInt(50)));
    text("9".repeat(random.nextInt(18)) + Fuzz.text(random));
  }

  static void text(String text) {
    for (DeadlineHeader header : FORMS) {
      Duration left;
      try {
        left = header.read(text);
      } catch (IllegalArgumentException refused) {
        assertThat(meant(header, text)).as("refused: '%s'", text).isNull();
        assertThat(refused).hasMessageStartingWith(header.name());
        assertThat(refused.getMessage()).hasSizeLessThan(200);
        continue;
      }
      assertThat(left).as("'%s'", text).isEqualTo(meant(header, text));
      assertThat(left).isBetween(Duration.ZERO, LONGEST);
      assertThat(header.read(header.write(left))).isEqualTo(left);
    }
  }

  /** By counting alone; null if it is not of the header's form. */
  private static @Nullable Duration meant(DeadlineHeader header, String text) {
    String digits = text.strip();
    int most = 15;
    long unit = 1_000_000;
    if (header == DeadlineHeader.GRPC) {
      most = 8;
      int last = digits.length() - 1;
      Long named = last < 0 ? null : UNITS.get(digits.charAt(last));
      if (named == null) {
        return null;
      }
      unit = named;
      digits = digits.substring(0, last);
    }
    if (digits.isEmpty() || digits.length() > most) {
      return null;
    }
    BigInteger count = BigInteger.ZERO;
    for (char digit : digits.toCharArray()) {
      if (digit < '0' || digit > '9') {
        return null;
      }
      count = count.multiply(BigInteger.TEN).add(BigInteger.valueOf(digit - '0'));
    }
    BigInteger nanos = count.multiply(BigInteger.valueOf(unit));
    return Duration.ofNanos(nanos.min(BigInteger.valueOf(LONGEST.toNanos())).longValueExact());
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
    time(
        Duration.ofSeconds(
            random.nextLong() >>> 1 + random.nextInt(63), random.nextInt(1_000_000_000)));
  }

  static void time(Duration left) {
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
