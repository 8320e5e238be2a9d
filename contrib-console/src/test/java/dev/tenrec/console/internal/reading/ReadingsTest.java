// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.reading;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.Refusal;
import dev.tenrec.core.view.JournalEntry;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What the pages are sent when a reading fails, and what is fresh in one. */
class ReadingsTest {

  private boolean fails;

  private Instant now() {
    if (fails) {
      throw new IllegalStateException("of the clock");
    }
    return Instant.EPOCH;
  }

  @Test
  void read_afterAFailure_isOfEverythingAnew() {
    try (Tenrec tenrec = Tenrec.create()) {
      Command<Integer, Integer> command =
          tenrec
              .command("Seen", (Integer i) -> i)
              .isolation(Isolation.semaphore(1))
              .withoutTimeout()
              .build();
      assertThat(command.execute(7)).isEqualTo(7);
      Readings readings =
          new Readings(tenrec, this::now, new ManualTime(), Duration.ofSeconds(1), false);
      Runnable end = readings.begin(() -> {});
      assertThat(text(readings.read())).contains("Seen").doesNotContain("\"whole\"");
      assertThat(text(readings.read())).doesNotContain("Seen");

      fails = true;
      assertThatThrownBy(readings::read).hasMessage("of the clock");
      fails = false;

      assertThat(text(readings.read())).contains("\"whole\":true", "Seen");
      assertThat(text(readings.read())).doesNotContain("\"whole\"", "Seen");
      end.run();
    }
  }

  private static List<JournalEntry> entries(long... numbers) {
    return LongStream.of(numbers)
        .<JournalEntry>mapToObj(
            number ->
                new JournalEntry.SettingRefused(
                    number, Instant.EPOCH, "", "", new Refusal("key", "value", "rule")))
        .toList();
  }

  @Test
  void entry_thatComesIntoTheJournalAfterALaterOne_isFreshAllTheSame() {
    assertThat(Readings.fresh(entries(7, 8, 9, 11), entries(8, 9, 10, 11, 12)))
        .extracting(JournalEntry::number)
        .containsExactly(10L, 12L);
    assertThat(Readings.fresh(entries(), entries(3, 4)))
        .extracting(JournalEntry::number)
        .containsExactly(3L, 4L);
    assertThat(Readings.fresh(entries(3, 4), entries(3, 4))).isEmpty();
    assertThat(Readings.fresh(entries(3, 4), entries())).isEmpty();
  }

  private static String text(byte[] event) {
    return new String(event, UTF_8);
  }
}
