// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class RatioTest {

  @Test
  void ratio_ofTwoFigures_showsBothAndWhatItIs() {
    assertThat(Ratio.ratio(5_009.4, 6.25, "ms"))
        .isEqualTo(Ratio.stated("5,009 ÷ 6.25 ms = 802", 5_009.4 / 6.25));
    assertThat(Ratio.ratio(3_934, 169, "").text()).isEqualTo("3,934 ÷ 169 = 23.3");
    assertThat(Ratio.ratio(0, 14_036, "").text()).isEqualTo("0 ÷ 14,036 = 0");
  }

  @Test
  void ratio_ofAndBy0_hasNoNumber() {
    assertThat(Ratio.ratio(3, 0, "ms")).isEqualTo(Ratio.stated("3 ÷ 0 ms"));
  }

  @Test
  void all_leavesOutWhatWasNotMeasured() {
    Ratio one = Ratio.stated("a", 1).of("here");
    Ratio other = Ratio.stated("b", 2, 3);

    assertThat(Ratio.all(List.of(one, Ratio.NOT_MEASURED.of("there"), other)))
        .isEqualTo(Ratio.stated("a (here); b", 1, 2, 3));
    assertThat(Ratio.all(List.of(Ratio.NOT_MEASURED))).isEqualTo(Ratio.NOT_MEASURED);
    assertThat(Ratio.NOT_MEASURED.of("there").isMeasured()).isFalse();
  }

  @Test
  void print_shapes_ofWhichNoneWasMeasured_isNothing() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Shape.print(
        List.of(new Shape("wanted", "", "errors", "0", Ratio.NOT_MEASURED)),
        new PrintStream(bytes, true, StandardCharsets.UTF_8));

    assertThat(bytes.size()).isZero();
  }

  @Test
  void print_shapes_isAMarkdownTable() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    List<Shape> shapes =
        List.of(
            new Shape("slower", "2.0", "mean: a ÷ b", "above 1", Ratio.ratio(3, 2, "ms")),
            new Shape("wanted", "", "errors", "0", Ratio.NOT_MEASURED));

    Shape.print(shapes, new PrintStream(bytes, true, StandardCharsets.UTF_8));

    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "",
            "What the original's shapes came to:",
            "",
            "| shape in the original | original | ratio here | expected | this run |",
            "|---|---|---|---|---|",
            "| slower | 2.0 | mean: a ÷ b | above 1 | 3 ÷ 2 ms = 1.50 |",
            "| wanted |  | errors | 0 | not measured |");
    assertThat(JsonText.parse(Json.write(shapes.stream().map(Shape::json).toList())))
        .asString()
        .contains("measured=true, values=[1.5]", "measured=false, values=[]");
  }
}
