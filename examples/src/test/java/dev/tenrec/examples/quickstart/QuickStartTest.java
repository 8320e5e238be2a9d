// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.test.TestTenrec;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** In virtual time: no call is late because its thread waits for the processor. */
class QuickStartTest {

  @Test
  void run_showsAnAnswerTwoFallbacksAndWhy() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    try (TestTenrec test = TestTenrec.create()) {
      // the lost spoon, which the shop looks for longer than its caller waits; for the second
      // fault the call after it is the third, as it does not meet what the first has ended
      test.faults().on("GetPrice").nth(3).timeOut();
      test.faults().on("GetPrice").nth(3).timeOut();
      QuickStart.run(test.tenrec(), new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }

    List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(lines)
        .hasSize(5)
        .startsWith(
            "tea: 5.00",
            "a broken cup: price on request",
            "a lost spoon: price on request",
            "events of the last call: [TIMEOUT, FALLBACK_SUCCESS]");
    assertThat(lines.get(4)).startsWith("in words: ").contains("GetPrice");
  }
}
