// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SummaryTest {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @Test
  void shapes_areTheFirstFiveThatWereMeasured() {
    List<Shape> shapes = new ArrayList<>();
    shapes.add(new Shape("not run", "", "", "", Ratio.NOT_MEASURED));
    for (int number = 1; number < 8; number++) {
      shapes.add(
          new Shape("shape " + number, "", "mine ÷ his", "above 1", Ratio.ratio(number, 2, "ms")));
    }

    Summary.lines(out, Summary.of(shapes));

    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "",
            "In short:",
            "  shape 1: 1 ÷ 2 ms = 0.50 [mine ÷ his]",
            "  shape 2: 2 ÷ 2 ms = 1 [mine ÷ his]",
            "  shape 3: 3 ÷ 2 ms = 1.50 [mine ÷ his]",
            "  shape 4: 4 ÷ 2 ms = 2 [mine ÷ his]",
            "  shape 5: 5 ÷ 2 ms = 2.50 [mine ÷ his]");
  }

  @Test
  void lines_ofNothing_saySo() {
    Summary.lines(out, List.of());

    assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("nothing was measured");
  }

  @Test
  void plot_withoutAPoint_isNotWritten() {
    Plot plot = new Plot("none", new Axis("x", true), new Axis("y", true));
    plot.add("beyond a logarithmic axis", 1, 0);

    assertThat(plot.isEmpty()).isTrue();
  }
}
