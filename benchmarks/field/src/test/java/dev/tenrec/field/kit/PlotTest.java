// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class PlotTest {

  private static final Axis USERS = new Axis("users", true);
  private static final Axis MILLIS = new Axis("ms <not s>", true);

  @Test
  void svg_ofTwoLines_isWellFormedWithBoth() throws Exception {
    Plot plot = new Plot("a & b > c", USERS, MILLIS);
    plot.add("one", 100, 5);
    plot.add("one", 1_000, 50);
    plot.add("two", 100, 500);

    Document svg = parse(plot);

    assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(2);
    assertThat(svg.getElementsByTagName("circle").getLength()).isEqualTo(3);
    assertThat(svg.getDocumentElement().getTextContent())
        .contains("a & b > c", "ms <not s>", "one", "two", "1,000");
  }

  @Test
  void add_whatALogarithmCannotShow_isLeftOut() throws Exception {
    Plot plot = new Plot("some", USERS, MILLIS);
    plot.add("one", 100, 0);
    plot.add("one", 100, 1);

    assertThat(parse(plot).getElementsByTagName("circle").getLength()).isEqualTo(1);
  }

  @Test
  void svg_ofNothing_isWellFormed() throws Exception {
    assertThat(parse(new Plot("none", USERS, MILLIS)).getElementsByTagName("circle").getLength())
        .isZero();
  }

  @Test
  void ticks_ofBothKinds_areRound() {
    assertThat(USERS.over(List.of(100.0, 5_000.0)).ticks())
        .containsExactly(100.0, 200.0, 500.0, 1_000.0, 2_000.0, 5_000.0);
    assertThat(new Axis("seconds", false).over(List.of(4.0)).ticks())
        .containsExactly(0.0, 1.0, 2.0, 3.0, 4.0);
  }

  private static Document parse(Plot plot) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(plot.svg().getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void svg_ofALongName_isWideEnoughForIt() {
    Plot plot = new Plot("some", USERS, MILLIS);
    plot.add("a name of fifty letters, as some of a plot's lines", 1, 2);

    assertThat(plot.svg()).contains("viewBox=\"0 0 1092 460\"");
  }
}
