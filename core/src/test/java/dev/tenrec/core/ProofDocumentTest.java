// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.kit.TestSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/proof.md} names tests that are there and run, and bounds that the build holds. */
class ProofDocumentTest {

  private static final Pattern NAMED =
      Pattern.compile("`([A-Z]\\w*(?:Test|Stress))(?:\\.(\\w+))?`|`\\.?([a-z]\\w*_\\w+)`");
  private static final Pattern THRESHOLD =
      Pattern.compile(
          "<id>(\\w+)</id>\\s*<phase>process-test-classes</phase>[\\s\\S]*?"
              + "<mutationThreshold>(\\d+)</mutationThreshold>");

  private static final Pattern LEFT_OUT =
      Pattern.compile("<excludedGroups>([\\w |]+)</excludedGroups>");

  private record Row(String heading, List<String> cells) {}

  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    String heading = "";
    for (String line : Files.readAllLines(TestSources.root().resolve("docs/proof.md"))) {
      if (line.startsWith("## ")) {
        heading = line.substring(3);
      } else if (line.startsWith("| ")) {
        rows.add(new Row(heading, cells(line)));
      }
    }
    return rows;
  }

  private static List<String> cells(String line) {
    return List.of(line.substring(2).replaceFirst(" \\|$", "").split(" \\| "));
  }

  private static List<Row> promises() throws IOException {
    return rows().stream()
        .filter(row -> row.heading().startsWith("Promised"))
        .filter(row -> !row.cells().get(0).equals("promise"))
        .toList();
  }

  @Test
  void eachPromise_namesATest() throws IOException {
    assertThat(promises())
        .hasSizeGreaterThan(30)
        .allSatisfy(
            row -> {
              assertThat(row.cells()).as("%s", row).hasSize(2);
              assertThat(row.cells().get(1)).as("%s", row).containsPattern(NAMED);
            });
  }

  @Test
  void eachTestNamed_exists() throws IOException {
    Map<String, String> sources = TestSources.byName();
    String page = Files.readString(TestSources.root().resolve("docs/proof.md"));
    Matcher named = NAMED.matcher(page);
    String source = "";
    int found = 0;
    while (named.find()) {
      found++;
      if (named.group(1) != null) {
        source = sources.getOrDefault(named.group(1), "");
        assertThat(source).as("%s", named.group()).isNotEmpty();
      }
      String test = named.group(1) != null ? named.group(2) : named.group(3);
      if (test != null) {
        assertThat(TestSources.testsIn(source)).as("%s", named.group()).contains(test);
      }
    }
    assertThat(found).isGreaterThan(60);
  }

  /** A test that skips itself, because it finds something missing, is not seen here. */
  @Test
  void eachTestOfAPromise_isRunInEachBuild() throws IOException {
    Map<String, String> sources = TestSources.byName();
    String notRun =
        "@(?:Disabled|Enabled)|@Tag\\(\"(?:" + String.join("|", tagsLeftOut()) + ")\"\\)";
    int found = 0;
    for (Row row : promises()) {
      Matcher named = NAMED.matcher(row.cells().get(1));
      String source = "";
      while (named.find()) {
        found++;
        if (named.group(1) != null) {
          source = sources.getOrDefault(named.group(1), "");
          assertThat(TestSources.before(source, named.group(1)))
              .as("%s", named.group())
              .doesNotContainPattern(notRun);
        }
        String test = named.group(1) != null ? named.group(2) : named.group(3);
        if (test != null) {
          assertThat(TestSources.before(source, test))
              .as("%s", named.group())
              .contains("Test") // as each annotation of a test does
              .doesNotContainPattern(notRun);
        }
      }
    }
    assertThat(found).isGreaterThan(60);
  }

  /** The tags of tests that some build, or each, does without. */
  private static Set<String> tagsLeftOut() throws IOException {
    Set<String> tags =
        LEFT_OUT
            .matcher(Files.readString(TestSources.root().resolve("pom.xml")))
            .results()
            .flatMap(found -> Stream.of(found.group(1).split(" \\| ")))
            .collect(Collectors.toSet());
    assertThat(tags).contains("long", "field", "external");
    return tags;
  }

  @Test
  void eachPackageWithMutants_hasTheThresholdOfTheBuild() throws IOException {
    List<String> ofTheBuild = new ArrayList<>();
    for (String module : List.of("metrics", "core")) {
      Path pom = TestSources.root().resolve(module).resolve("pom.xml");
      THRESHOLD
          .matcher(Files.readString(pom))
          .results()
          .forEach(found -> ofTheBuild.add(found.group(1) + " " + found.group(2)));
    }
    assertThat(ofTheBuild).hasSizeGreaterThan(3);
    assertThat(
            rows().stream()
                .filter(row -> row.heading().equals("Mutants"))
                .filter(row -> row.cells().get(0).matches("`\\w+`"))
                .filter(row -> row.cells().get(1).matches("\\d+"))
                .map(row -> row.cells().get(0).replace("`", "") + " " + row.cells().get(1)))
        .containsExactlyInAnyOrderElementsOf(ofTheBuild);
  }
}
