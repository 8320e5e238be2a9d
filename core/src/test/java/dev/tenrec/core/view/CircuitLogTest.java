// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What the log has of a circuit, as the tests' logging writes it. */
class CircuitLogTest {

  @Test
  void circuit_thatOpens_isOneLineAtWarnWithReasonAndNumbers() {
    ManualTime time = new ManualTime();
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try (Tenrec tenrec = Tenrec.builder().time(time, time).build()) {
      Command<Integer, Integer> command =
          tenrec
              .command("Odd\nWARN forged", (Integer i) -> Integer.parseInt("down"))
              .isolation(Isolation.semaphore(1))
              .errorThreshold(50, 4)
              .build();
      for (int i = 0; i < 8 && command.view().circuitState() != CircuitState.OPEN; i++) {
        command.attempt(i);
        time.advanceMillis(500); // until its health is looked at
      }
      await()
          .until(
              () -> {
                if (command.view().circuitState() != CircuitState.OPEN) { // the timer was looking
                  time.advanceMillis(100);
                }
                return log.toString(StandardCharsets.UTF_8).contains("forged: circuit CLOSED");
              });
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(StandardCharsets.UTF_8).lines())
        .filteredOn(line -> line.contains("forged"))
        .hasSize(1)
        .first()
        .asString()
        .contains("WARN")
        .contains("Odd\\nWARN forged: circuit CLOSED -> OPEN: ")
        .contains("calls failed")
        .contains("limit 50 % from 4 calls on");
  }
}
