// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps {@code docs/appendix/conformance-stream.md} honest: complete, with tests that exist. */
class ConformanceStreamTest {

  private static final Pattern ROW = Pattern.compile("(?m)^\\| (\\d+) \\| (.+) \\| (.+) \\|$");
  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*Test)\\.(\\w+)`");

  private static Map<Integer, String> rows() throws Exception {
    Map<Integer, String> rows = new TreeMap<>();
    Matcher row =
        ROW.matcher(Files.readString(Path.of("..", "docs/appendix/conformance-stream.md")));
    while (row.find()) {
      assertThat(rows.put(Integer.valueOf(row.group(1)), row.group(3))).isNull();
    }
    return rows;
  }

  @Test
  void group_hasEachOfItsNumbers() throws Exception {
    assertThat(List.copyOf(rows().keySet()))
        .isEqualTo(IntStream.rangeClosed(296, 300).boxed().toList());
  }

  @Test
  void eachRow_hasAVerdictWithTestsThatExist() throws Exception {
    for (Map.Entry<Integer, String> row : rows().entrySet()) {
      assertThat(row.getValue()).matches("(same|different|does not apply): .+");
      Matcher named = TEST.matcher(row.getValue());
      int tests = 0;
      while (named.find()) {
        tests++;
        assertThat(Arrays.stream(test(named.group(1)).getDeclaredMethods()))
            .as("row %s", row.getKey())
            .anyMatch(method -> method.getName().equals(named.group(2)));
      }
      if (row.getValue().startsWith("same")) {
        assertThat(tests).as("row %s", row.getKey()).isPositive();
      }
    }
  }

  /** In whichever package it is. */
  private static Class<?> test(String name) throws Exception {
    Path sources = Path.of("src", "test", "java");
    try (Stream<Path> files = Files.walk(sources)) {
      Path file = files.filter(path -> path.endsWith(name + ".java")).findAny().orElseThrow();
      String path = sources.relativize(file).toString().replace(File.separatorChar, '.');
      return Class.forName(path.substring(0, path.length() - ".java".length()));
    }
  }
}
