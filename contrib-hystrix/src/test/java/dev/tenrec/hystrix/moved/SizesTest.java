// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.moved;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The sizes on the migration page are those of the classes here. */
class SizesTest {

  private static final Path PAGE = Path.of("..", "docs", "migration.md");
  private static final Path PACKAGE =
      Path.of("src", "test", "java", "dev", "tenrec", "hystrix", "moved");
  private static final Pattern ROW =
      Pattern.compile("\\| [a-z ]+ \\| `\\w+` \\| \\d+ \\| \\d+ \\| `(\\w+)`: (.+) \\| (\\d+) \\|");
  private static final Pattern APPLICATION =
      Pattern.compile(
          "\\| an application \\| `OrderDesk`, before \\| (\\d+) \\| (\\d+) \\| `OrderDesk`, after"
              + " \\| (\\d+) \\|");

  @Test
  void kinds_onThePage_areAsLargeAsItSays() throws IOException {
    List<MatchResult> rows = ROW.matcher(Files.readString(PAGE)).results().toList();

    assertThat(rows).hasSize(9);
    for (MatchResult row : rows) {
      Path source = PACKAGE.resolveSibling("kinds").resolve(row.group(1) + ".java");
      int lines = 0;
      for (String type : row.group(2).split(", ")) {
        lines += linesOf(source, type.replace("`", ""));
      }
      assertThat(lines).as(row.group()).isEqualTo(Integer.parseInt(row.group(3)));
    }
  }

  @Test
  void application_onThePage_isAsLargeAsItSays() throws IOException {
    Matcher row = APPLICATION.matcher(Files.readString(PAGE));
    assertThat(row.find()).isTrue();
    List<String> before = code(PACKAGE.resolve("before").resolve("OrderDesk.java"));
    List<String> after = code(PACKAGE.resolve("after").resolve("OrderDesk.java"));
    List<String> changed = new ArrayList<>(before);
    after.forEach(changed::remove); // each line once

    assertThat(before).hasSize(Integer.parseInt(row.group(1)));
    assertThat(changed).hasSize(Integer.parseInt(row.group(2)));
    assertThat(after).hasSize(Integer.parseInt(row.group(3)));
  }

  private static List<String> code(Path source) throws IOException {
    return Files.readAllLines(source).stream()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.matches("(//|/\\*|\\*|import |package ).*"))
        .toList();
  }

  /** From the line that declares a type to its last brace. */
  private static int linesOf(Path source, String type) throws IOException {
    List<String> lines = code(source);
    int first = 0;
    while (!lines.get(first).matches(".*\\bclass " + type + "\\b.*")) {
      first++;
    }
    int depth = 0;
    int last = first;
    do {
      String line = lines.get(last).replaceAll("\"[^\"]*\"", "");
      depth += line.replaceAll("[^{]", "").length() - line.replaceAll("[^}]", "").length();
      last++;
    } while (depth > 0);
    return last - first;
  }
}
