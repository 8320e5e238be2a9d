// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Keeps {@code docs/appendix/conformance-annotations.md} honest: complete, and with tests that
 * exist.
 */
class ConformanceAnnotationsTest {

  private static final Pattern ROW = Pattern.compile("\\| (\\d+) \\| (.+) \\| (.+) \\|");
  private static final Pattern VERDICT = Pattern.compile("(same|different|does not apply)\\b.+");
  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*Test)(?:\\.(\\w+))?`");

  /** Verdicts by number. */
  private static final Map<Integer, String> ROWS = new HashMap<>();

  private static final List<Integer> NUMBERS = new ArrayList<>();
  private static Path root;

  @BeforeAll
  static void read() throws IOException {
    root = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(root.resolve("docs"))) {
      root = root.getParent();
    }
    for (String line :
        Files.readAllLines(root.resolve("docs/appendix/conformance-annotations.md"))) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        NUMBERS.add(Integer.valueOf(row.group(1)));
        ROWS.put(Integer.valueOf(row.group(1)), row.group(3));
      }
    }
  }

  @Test
  void group_hasEachOfItsNumbersOnceAndInOrder() {
    assertThat(NUMBERS).containsExactlyElementsOf(IntStream.rangeClosed(278, 295).boxed().toList());
  }

  @Test
  void eachRow_hasAVerdictWithATestOrAReason() {
    assertThat(ROWS)
        .allSatisfy(
            (number, verdict) -> {
              assertThat(verdict).as("row %s", number).matches(VERDICT);
              if (verdict.startsWith("same")) {
                assertThat(verdict).as("row %s", number).containsPattern("`\\w+Test\\.\\w+`");
              }
            });
  }

  @Test
  void eachTestNamed_exists() throws IOException {
    Map<String, String> classes = classes();
    assertThat(ROWS)
        .allSatisfy(
            (number, verdict) -> {
              Matcher named = TEST.matcher(verdict);
              while (named.find()) {
                String type = classes.get(named.group(1));
                assertThat(type).as("row %s: %s", number, named.group(1)).isNotNull();
                if (named.group(2) != null) {
                  assertThat(methods(type))
                      .as("row %s: %s", number, named.group(1))
                      .contains(named.group(2));
                }
              }
            });
  }

  private static Map<String, String> classes() throws IOException {
    Path tests = root.resolve("contrib-annotations/src/test/java");
    Map<String, String> all = new HashMap<>();
    try (Stream<Path> files = Files.walk(tests)) {
      files
          .filter(file -> file.toString().endsWith("Test.java"))
          .forEach(
              file -> {
                String simple = file.getFileName().toString().replace(".java", "");
                String path = tests.relativize(file).toString().replace(".java", "");
                all.put(simple, path.replace('/', '.').replace('\\', '.'));
              });
    }
    return all;
  }

  private static List<String> methods(String type) {
    try {
      return Arrays.stream(
              Class.forName(type, false, ConformanceAnnotationsTest.class.getClassLoader())
                  .getDeclaredMethods())
          .map(java.lang.reflect.Method::getName)
          .toList();
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
