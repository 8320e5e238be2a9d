// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The board by Grafana's own types and SDK, which nothing here installs. {@code -Dtenrec.grafana}
 * names a directory where
 *
 * <pre>
 * python3 -m venv python &amp;&amp; python/bin/pip install grafana-foundation-sdk
 * npm install @grafana/schema@13.2.3 typescript
 * </pre>
 *
 * were run.
 */
@Tag("external")
class BoardTypesTest {

  private static final Path BOARD = Path.of("..", "docs", "observability", "tenrec-board.json");
  private static final Path RESOURCES = Path.of("src", "test", "resources", "board");
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path directory;

  private static Path tools() {
    String named = System.getProperty("tenrec.grafana");
    Assumptions.assumeTrue(
        named != null,
        "SKIPPED: -Dtenrec.grafana names no directory, Grafana's types were not asked");
    return Path.of(Objects.requireNonNull(named)).toAbsolutePath();
  }

  private String board(Consumer<JsonNode> change) throws IOException {
    JsonNode board = JSON.readTree(BOARD.toFile());
    change.accept(board);
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(board);
  }

  private Programs.Ended byTypes(String board) throws Exception {
    Path tools = tools();
    Path file = Files.createTempFile(tools, "board", ".ts"); // its imports are looked for beside it
    try {
      Files.writeString(file, Files.readString(RESOURCES.resolve("types.ts")) + board + ";\n");
      return Programs.run(
          tools,
          tools.resolve(Path.of("node_modules", ".bin", "tsc")).toString(),
          "--noEmit",
          "--strict",
          "--skipLibCheck",
          "--moduleResolution",
          "bundler",
          "--module",
          "esnext",
          "--target",
          "es2022",
          file.getFileName().toString());
    } finally {
      Files.delete(file);
    }
  }

  private Programs.Ended byRoundTrip(String board) throws Exception {
    return Programs.run(
        directory,
        tools().resolve(Path.of("python", "bin", "python3")).toString(),
        RESOURCES.resolve("round_trip.py").toAbsolutePath().toString(),
        Files.writeString(directory.resolve("board.json"), board).toString());
  }

  @Test
  void board_byGrafanasTypes_isOne() throws Exception {
    Programs.Ended checked = byTypes(board(each -> {}));
    assertThat(checked.exitCode()).as(checked.output()).isZero();
  }

  @Test
  void board_byGrafanasSdk_comesBackAsItWas() throws Exception {
    Programs.Ended checked = byRoundTrip(board(each -> {}));
    assertThat(checked.exitCode()).as(checked.output()).isZero();
  }

  @Test
  void fields_thatGrafanaDoesNotKnow_areFoundByBoth() throws Exception {
    String wrong = board(each -> ((ObjectNode) each.get("panels").get(1)).put("colour", "red"));
    assertThat(byTypes(wrong).exitCode()).isNotZero();
    assertThat(byTypes(wrong).output()).contains("'\"colour\"' does not exist");
    assertThat(byRoundTrip(wrong).output()).contains("board.panels[1].colour is dropped");
  }

  @Test
  void values_thatGrafanaDoesNotKnow_areFoundByItsTypes() throws Exception {
    String wrong =
        board(
            each ->
                ((ObjectNode) each.at("/panels/1/options/legend")).put("displayMode", "tabular"));
    assertThat(byTypes(wrong).exitCode()).isNotZero();
    assertThat(byTypes(wrong).output()).contains("\"tabular\"");
  }
}
