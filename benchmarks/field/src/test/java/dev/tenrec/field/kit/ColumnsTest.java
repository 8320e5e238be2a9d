// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ColumnsTest {

  private record Part(int count) {}

  private record Row(String name, double millis, @Nullable Part part) {}

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(shown, true, StandardCharsets.UTF_8);

  private Stream<String> lines() {
    return shown.toString(StandardCharsets.UTF_8).lines();
  }

  @Test
  void table_hasBarsAroundItsRows_andARuleBelowItsHead() {
    new Columns<Row>()
        .add("users", Row::name)
        .add("mean ms", "%.1f", Row::millis)
        .table(out)
        .accept(new Row("5", 1.5, null));

    assertThat(lines()).containsExactly("| users | mean ms |", "|---|---|", "| 5 | 1.5 |");
  }

  @Test
  void row_withoutAPartOrAValue_hasDashes() {
    Columns<Row> columns =
        new Columns<Row>()
            .add("name", Row::name)
            .addAll(
                Row::part,
                new Columns<Part>().add("count", Part::count),
                new Columns<Part>().add("twice", "%d + %d", Part::count, Part::count))
            .add("slow", "%.0f / %.0f", Row::millis, row -> row.millis() > 2 ? row.millis() : null);

    List.of(new Row("a", 1, null), new Row("b", 3, new Part(7)))
        .forEach(columns.table(out, "Two:"));

    assertThat(lines())
        .containsExactly(
            "",
            "Two:",
            "",
            "| name | count | twice | slow |",
            "|---|---|---|---|",
            "| a | - | - | - |",
            "| b | 7 | 7 + 7 | 3 / 3 |");
  }
}
