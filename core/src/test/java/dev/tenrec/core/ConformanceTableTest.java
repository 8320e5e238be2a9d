// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.kit.TestSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Keeps each {@code docs/appendix/conformance*.md} honest: together they are complete, and the
 * tests they name exist.
 */
class ConformanceTableTest {

  /** The first and the last number of each group. */
  private static final Map<String, int[]> GROUPS =
      Map.ofEntries(
          Map.entry("A", new int[] {1, 21}),
          Map.entry("B", new int[] {22, 24}),
          Map.entry("C", new int[] {25, 36}),
          Map.entry("D", new int[] {37, 47}),
          Map.entry("E", new int[] {48, 70}),
          Map.entry("F", new int[] {71, 84}),
          Map.entry("G", new int[] {85, 93}),
          Map.entry("H", new int[] {94, 118}),
          Map.entry("I", new int[] {119, 130}),
          Map.entry("J", new int[] {131, 153}),
          Map.entry("K", new int[] {154, 167}),
          Map.entry("L", new int[] {168, 179}),
          Map.entry("M", new int[] {180, 198}),
          Map.entry("N", new int[] {199, 235}),
          Map.entry("O", new int[] {236, 252}),
          Map.entry("P", new int[] {253, 258}),
          Map.entry("Q", new int[] {259, 268}),
          Map.entry("R", new int[] {269, 272}),
          Map.entry("S", new int[] {273, 277}),
          Map.entry("T", new int[] {278, 295}),
          Map.entry("U", new int[] {296, 300}));

  /** Without the request cache's and the collapsers', which their groups show. */
  private static final List<Integer> EVENTS =
      IntStream.rangeClosed(1, 35)
          .filter(number -> !List.of(28, 29, 32, 34).contains(number))
          .boxed()
          .toList();

  private static final Pattern HEADING = Pattern.compile("## (?:([A-U])\\. .*|Event table)");
  private static final Pattern ROW = Pattern.compile("\\| (?:event )?(\\d+) \\| (.+) \\| (.+) \\|");

  /** Followed by words, the name of a test, or a remark in brackets; not by one sign more. */
  private static final Pattern VERDICT =
      Pattern.compile("(same|different|does not apply)[:;,]? [\\w`(].+");

  /** A class with or without a method, or a further method of the class before it. */
  private static final Pattern TEST =
      Pattern.compile(
          "`((?:[a-z]\\w*\\.)*[A-Z]\\w*(?:Test|Stress))(?:\\.(\\w+))?`|`([a-z]\\w*_\\w+)`");

  /** A line of the list of properties: of which section it is, and what becomes of it. */
  private static final Pattern PROPERTY = Pattern.compile("- \\*\\*(\\d\\.\\d|new)\\*\\* (.+)");

  /** The same as {@link #TEST}, as that list spells it. */
  private static final Pattern TEST_OF_PROPERTY =
      Pattern.compile("`((?:[a-z]\\w*\\.)*[A-Z]\\w*Test)(?:#(\\w+))?`|`#(\\w+)`");

  /** A method of a test, with its class. */
  private static final Pattern TEST_METHOD = Pattern.compile("`[\\w.]+Test\\.\\w+`");

  private static final Pattern CODE = Pattern.compile("`[^`]+`");

  private record Row(int number, String behaviour, String verdict) {}

  /** By group; that of the event table is "". */
  private static final Map<String, List<Row>> ROWS = new HashMap<>();

  private static final List<String> PROPERTIES = new ArrayList<>();

  @BeforeAll
  static void read() throws IOException {
    try (Stream<Path> files = Files.list(TestSources.root().resolve("docs/appendix"))) {
      for (Path file :
          files
              .filter(path -> path.getFileName().toString().matches("conformance.*\\.md"))
              .toList()) {
        read(file);
      }
    }
  }

  private static void read(Path file) throws IOException {
    List<Row> rows = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      Matcher heading = HEADING.matcher(line);
      Matcher row = ROW.matcher(line);
      Matcher property = PROPERTY.matcher(line);
      if (heading.matches()) {
        rows = new ArrayList<>();
        String group = heading.group(1) == null ? "" : heading.group(1);
        assertThat(ROWS.put(group, rows)).as("two tables for group %s", group).isNull();
      } else if (row.matches()) {
        rows.add(new Row(Integer.parseInt(row.group(1)), row.group(2), row.group(3)));
      } else if (property.matches()) {
        PROPERTIES.add(property.group(2));
      } else {
        assertThat(line)
            .as("neither a row nor the head of a table")
            .doesNotContainPattern("^\\|(?! number \\||---)");
      }
    }
  }

  private static Stream<Row> rows() {
    return ROWS.values().stream().flatMap(List::stream);
  }

  @Test
  void eachGroup_hasEachOfItsNumbersOnceAndInOrder() {
    assertThat(ROWS.keySet()).containsAll(GROUPS.keySet()).contains("");
    ROWS.forEach(
        (group, rows) -> {
          int[] range = GROUPS.get(group);
          List<Integer> expected =
              range == null ? EVENTS : IntStream.rangeClosed(range[0], range[1]).boxed().toList();
          assertThat(rows.stream().map(Row::number))
              .as("group %s", group)
              .containsExactlyElementsOf(expected);
        });
  }

  @Test
  void eachRow_hasAVerdictWithATestOrAReason() {
    assertThat(rows())
        .allSatisfy(
            row -> {
              assertThat(row.verdict()).as("row %s", row.number()).matches(VERDICT);
              if (!row.verdict().startsWith("does not apply")) {
                assertThat(row.verdict())
                    .as("row %s", row.number())
                    .containsPattern(row.verdict().startsWith("same") ? TEST_METHOD : TEST);
              }
            });
  }

  @Test
  void eachTestNamed_exists() throws IOException {
    Map<String, String> sources = TestSources.byName();
    assertThat(rows())
        .allSatisfy(
            row -> assertThatAllExist(TEST.matcher(row.verdict()), sources, "row " + row.number()));
  }

  private static void assertThatAllExist(
      Matcher named, Map<String, String> sources, String namedIn) {
    String source = "";
    while (named.find()) {
      if (named.group(1) != null) {
        source = sources.getOrDefault(named.group(1), "");
        assertThat(source).as("%s: %s", namedIn, named.group()).isNotEmpty();
      }
      String part = named.group(1) != null ? named.group(2) : named.group(3);
      if (part != null) {
        assertThat(TestSources.testsIn(source)).as("%s: %s", namedIn, named.group()).contains(part);
      }
    }
  }

  @Test
  void eachProperty_namesTestsThatExist_orTheLineOrPageThatDoes() throws IOException {
    Map<String, String> sources = TestSources.byName();
    assertThat(PROPERTIES)
        .hasSizeGreaterThan(20)
        .allSatisfy(
            property -> {
              assertThat(property)
                  .containsPattern(
                      TEST_OF_PROPERTY.pattern() + "|: the same tests?\\b|\\]\\(conformance-");
              assertThat(CODE.matcher(property).results().map(found -> found.group()))
                  .filteredOn(code -> code.contains("#") || code.contains("Test"))
                  .allMatch(TEST_OF_PROPERTY.asMatchPredicate());
              assertThatAllExist(TEST_OF_PROPERTY.matcher(property), sources, property);
            });
  }

  /** What the page says of the parameters {@code way} and {@code door}. */
  @Test
  void eachTestWithCasesOfEverywhere_hasEachWayAndDoor() throws IOException {
    Map<String, String> sources = TestSources.byName();
    Pattern cases =
        Pattern.compile(
            "@MethodSource\\(\"(?:everywhere|whysEverywhere)\"\\)\\s+"
                + "void (\\w+)\\((?:Why why, )?Way way, Door door\\)");
    int found = 0;
    for (String named : namedClasses()) {
      String source = sources.getOrDefault(named, "");
      Matcher test = cases.matcher(source);
      while (test.find()) {
        found++;
        assertThat(source)
            .as("%s.%s", named, test.group(1))
            .containsPattern("> everywhere\\(\\) \\{\\s+return Scenario\\.everywhere\\(\\);");
      }
    }
    assertThat(found).isGreaterThan(50);
  }

  private static Set<String> namedClasses() {
    return rows()
        .flatMap(row -> TEST.matcher(row.verdict()).results())
        .map(named -> named.group(1))
        .filter(Objects::nonNull)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
