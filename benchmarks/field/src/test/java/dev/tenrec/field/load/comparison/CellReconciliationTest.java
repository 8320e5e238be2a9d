// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.load.engine.Engines;
import java.io.IOException;
import java.io.StringReader;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CellReconciliationTest {

  private final Cell open = new Cell(128, 0, Engines.POOL, 10, 100, 0);
  private final Cell guarded = new Cell(128, 0, Engines.POOL, 10, 100, 5);
  private final Map<String, Double> values =
      new HashMap<>(
          Map.of(
              "due",
              100.0,
              "sent",
              90.0,
              "neverSent",
              10.0,
              "answered",
              80.0,
              "failed",
              10.0,
              "serviceReceived",
              85.0));

  @Test
  void differences_ofWhatAgrees_areNone() {
    assertThat(CellReconciliation.differences(open, figures())).isEmpty();
  }

  @Test
  void differences_ofEachBook_areNamed() {
    values.put("sent", 91.0);
    values.put("serviceReceived", 91.0);

    assertThat(CellReconciliation.differences(open, figures()))
        .containsExactly(
            "due is 100, but sent + never sent is 101",
            "sent is 91, but answered + failed + refused is 90",
            "received by the service is 91, expected at least 80 (the driver's) and at most 90 (these and the failed)");
  }

  @Test
  void differences_ofTheCommand_areNamed() {
    values.put("command.SUCCESS", 80.0);
    values.put("command.FAILURE", 9.0);

    assertThat(CellReconciliation.differences(guarded, figures()))
        .containsExactly("failed is 10, but the command's failures is 9");
  }

  @Test
  void differences_ofARunThatBroke_areItsReason_ofAnExplainedOneNone() {
    assertThat(CellReconciliation.differences(open, Figures.broken("hung")))
        .containsExactly("hung");
    assertThat(CellReconciliation.differences(open, Figures.none("needs JDK 21"))).isEmpty();
  }

  @Test
  void read_whatTextMade_isTheSame() throws IOException {
    Figures some = new Figures(values, "3 x IOException: a\\b", false);

    assertThat(Figures.read(new StringReader(some.text())))
        .isEqualTo(new Figures(values, "3 x IOException: a/b", false));
    Figures broken = Figures.broken("two\nlines");
    assertThat(Figures.read(new StringReader(broken.text())))
        .isEqualTo(Figures.broken("two lines"));
  }

  private Figures figures() {
    return new Figures(values, "", false);
  }
}
