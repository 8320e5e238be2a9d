// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuickStartTest {

  @Test
  void run_showsAnAnswerTwoFallbacksAndWhy() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    QuickStart.run(new PrintStream(bytes, true, StandardCharsets.UTF_8));

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
