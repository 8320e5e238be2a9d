// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class PlotsTest {

  @Test
  void write_whatThereIs_drawsALineForEachMethod(@TempDir Path directory) throws Exception {
    Results results =
        Results.parse(
            Canned.list(
                Canned.FLOOR,
                Canned.TENREC,
                Canned.entry("SemaphoreExecution.tenrec", 16, "", "[[500]]", "0"),
                Canned.entry(
                    "ThreadPoolExecution.tenrec", 500, "\"queue\":\"1000\"", "[[9e6]]", "0")));

    assertThat(Plots.write(results, directory))
        .containsExactly(directory.resolve("threads.svg"), directory.resolve("callers.svg"));
    Document threads = parsed(Files.readString(directory.resolve("threads.svg")));
    assertThat(threads.getElementsByTagName("polyline").getLength()).isEqualTo(2);
    assertThat(threads.getElementsByTagName("circle").getLength()).isEqualTo(3);
    assertThat(threads.getDocumentElement().getTextContent())
        .contains("tenrec", "floor", "threads", "ns per call", "16");
  }

  @Test
  void svg_namesWithMarkup_areEscaped() throws Exception {
    LineChart chart = new LineChart("a < b & c", "x", "y");
    chart.add("line", 1, 10);

    assertThat(parsed(chart.svg()).getDocumentElement().getTextContent()).contains("a < b & c");
  }

  @Test
  void add_whatHasNoLogarithm_isRefused() {
    LineChart chart = new LineChart("title", "x", "y");

    assertThatThrownBy(() -> chart.add("line", 0, 1)).hasMessageContaining("line: (0.0, 1.0)");
  }

  @Test
  void ticks_ofAnAxis_areRoundNumbersOnIt() {
    assertThat(new Scale(40, 600).ticks()).containsExactly(50.0, 100.0, 200.0, 500.0);
    assertThat(new Scale(1, 10_000).ticks()).containsExactly(1.0, 10.0, 100.0, 1_000.0, 10_000.0);
  }

  private static Document parsed(String xml) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(xml)));
  }
}
