// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MarkdownTableTest {

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(shown, true, StandardCharsets.UTF_8);

  @Test
  void row_hasBarsAroundIt_andTheHeadHasARuleBelow() {
    new MarkdownTable(out, "users | mean ms").row("5 | 1.5");

    assertThat(shown.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("| users | mean ms |", "|---|---|", "| 5 | 1.5 |");
  }
}
