// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.kit.TestSources;
import dev.tenrec.core.torture.RaceMutants;
import dev.tenrec.core.torture.RaceMutants.Mutant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
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
      Pattern.compile(
          "`((?:[a-z]\\w*\\.)*[A-Z]\\w*(?:Test|Stress))(?:\\.(\\w+))?`|`\\.?([a-z]\\w*_\\w+)`");
  private static final Pattern ROOM =
      Pattern.compile(
          "<id>(\\w+)</id>\\s*<phase>process-test-classes</phase>\\s*"
              + "<goals><goal>mutationCoverage</goal></goals>");

  /** A class, perhaps one inside of another, and a method, or a lambda of one. */
  private static final Pattern CODE =
      Pattern.compile("`(\\w+)(?:\\$\\w+)*\\.(?:lambda\\$)?(<?\\w+>?)(?:\\$\\d+)?`");

  /** A line of the list of mutants: of which method, and which test notices it. */
  private static final Pattern LISTED_RACE =
      Pattern.compile("(?m)^[|-] `\\w+`(?:,| \\|) `([\\w.]+)`.*Race, noticed by `(\\w+)`");

  private static final Pattern LEFT_OUT =
      Pattern.compile("<excludedGroups>([\\w |]+)</excludedGroups>");

  private record Row(String heading, List<String> cells) {}

  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    String heading = "";
    for (String line : Files.readAllLines(TestSources.root().resolve("docs/proof.md"))) {
      if (line.startsWith("##")) {
        heading = line.replaceFirst("#+ ", "");
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
          assertThat(TestSources.before(source, TestSources.simpleName(named.group(1))))
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

  /** What the tests of a room have to notice, of all mutants that are not listed; as the build. */
  private static final double PERCENT = 95;

  @Test
  void eachRoomWithMutants_hasItsFigures_andNoticesEnough() throws IOException {
    Map<String, Integer> listed = new HashMap<>();
    for (List<String> mutant : mutantsListed()) {
      listed.merge(mutant.get(0), Integer.valueOf(mutant.get(3)), Integer::sum);
    }
    String page = Files.readString(TestSources.root().resolve("docs/proof.md"));
    List<String> rooms = new ArrayList<>();
    for (Row row : rows()) {
      if (row.heading().equals("Mutants") && row.cells().get(1).equals("not yet")) {
        String room = row.cells().get(0);
        rooms.add(room.replace("`", ""));
        assertThat(page.substring(page.indexOf("## Not proven"))).contains(room);
      } else if (row.heading().equals("Mutants") && row.cells().get(1).matches("\\d+")) {
        String room = row.cells().get(0);
        rooms.add(room.replace("`", ""));
        int all = Integer.parseInt(row.cells().get(1));
        int noticed = Integer.parseInt(row.cells().get(2));
        int late = Integer.parseInt(row.cells().get(3));
        int known = Integer.parseInt(row.cells().get(4));
        assertThat(late).as(room).isBetween(0, noticed);
        assertThat(listed.getOrDefault(room, 0)).as(room).isEqualTo(known);
        double share = 100.0 * noticed / (all - known);
        assertThat(share).as(room).isBetween(PERCENT, 100.0);
        assertThat(row.cells().get(5))
            .as(room)
            .isEqualTo(String.format(Locale.ROOT, "%.1f %%", share));
        assertThat(row.cells()).as(room).hasSize(9);
        assertThat(row.cells().get(6)).as(room).matches("2\\d{3}-\\d\\d-\\d\\d.*");
      }
    }
    assertThat(rooms).hasSizeGreaterThan(10).containsExactlyInAnyOrderElementsOf(roomsOfTheBuild());
    assertThat(Files.readString(TestSources.root().resolve(".ci/mutants")))
        .contains("threshold=" + (int) PERCENT);
  }

  @Test
  void eachMutantListed_isOfARoomAndACode_andSaysWhy() throws IOException {
    Set<String> rooms = Set.copyOf(roomsOfTheBuild());
    Map<String, String> sources = TestSources.ofMainByName("metrics", "core");
    Map<String, String> tests = TestSources.byName();
    List<String> names = new ArrayList<>();
    for (List<String> mutant : mutantsListed()) {
      assertThat(mutant).as("%s", mutant).hasSize(5);
      assertThat(rooms).as("%s", mutant).contains(mutant.get(0).replace("`", ""));
      Matcher code = CODE.matcher(mutant.get(1));
      assertThat(code.matches()).as("%s", mutant).isTrue();
      String method = code.group(2).equals("<init>") ? code.group(1) : code.group(2);
      assertThat(sources.getOrDefault(code.group(1), "")).as("%s", mutant).contains(method + "(");
      assertThat(mutant.get(4)).as("%s", mutant).hasSizeGreaterThan(20);
      Matcher named = NAMED.matcher(mutant.get(4));
      while (named.find()) {
        if (named.group(1) != null) {
          assertThat(tests).as("%s", mutant).containsKey(named.group(1));
        }
      }
      names.add(mutant.get(0) + mutant.get(1) + mutant.get(2));
    }
    assertThat(names).hasSizeGreaterThan(50).doesNotHaveDuplicates();
  }

  /** A row has the mutants of its classes that its tests notice; each is in one row. */
  @Test
  void eachMutantOfARace_isCountedInItsRow() throws IOException {
    int counted = 0;
    for (Row row : rows()) {
      if (row.heading().equals("Mutants of races") && row.cells().get(1).matches("\\d+")) {
        int count = Integer.parseInt(row.cells().get(1));
        List<String> types = List.of(row.cells().get(0).split(", "));
        List<String> tests = List.of(row.cells().get(3).split(", "));
        assertThat(
                RaceMutants.all()
                    .filter(mutant -> types.contains("`" + mutant.type() + "`"))
                    .filter(mutant -> tests.contains("`" + mutant.test() + "`")))
            .as("%s", row)
            .hasSize(count);
        counted += count;
      }
    }
    assertThat(counted).isEqualTo((int) RaceMutants.all().count());
  }

  /** So each has been seen to fail. */
  @Test
  void eachStressClass_hasAMutantOfARace_orIsNotProven() throws IOException {
    Set<String> noticing = RaceMutants.all().map(Mutant::test).collect(Collectors.toSet());
    String page = Files.readString(TestSources.root().resolve("docs/proof.md"));
    String notProven = page.substring(page.indexOf("## Not proven"));
    assertThat(TestSources.byName().keySet())
        .filteredOn(name -> name.endsWith("Stress") && !name.contains("."))
        .hasSizeGreaterThan(10)
        .allMatch(name -> noticing.contains(name) != notProven.contains("`" + name + "`"));
  }

  /** Without it, a mutant that has no place any more would be found by the long form only. */
  @Test
  void eachMutantOfARace_hasItsPlaceInTheSource() throws IOException {
    for (Mutant mutant : RaceMutants.all().toList()) {
      String source = Files.readString(mutant.file());
      assertThat(source).as("%s", mutant).contains(mutant.method() + "(").contains(mutant.text());
      assertThat(source.indexOf(mutant.text()))
          .as("once: %s", mutant)
          .isEqualTo(source.lastIndexOf(mutant.text()));
    }
  }

  /** What the list of mutants says of a race is held by a mutant of that method and test. */
  @Test
  void eachMutantListedAsARace_isAMutantOfARace() throws IOException {
    Set<String> held =
        RaceMutants.all()
            .map(mutant -> mutant.type() + "." + mutant.method() + " by " + mutant.test())
            .collect(Collectors.toSet());
    Matcher listed =
        LISTED_RACE.matcher(Files.readString(TestSources.root().resolve("docs/lab/mutants.md")));
    int found = 0;
    while (listed.find()) {
      found++;
      assertThat(held).contains(listed.group(1) + " by " + listed.group(2));
    }
    assertThat(found).isGreaterThan(10);
  }

  private static List<List<String>> mutantsListed() throws IOException {
    return Files.readAllLines(TestSources.root().resolve("docs/lab/mutants.md")).stream()
        .filter(line -> line.startsWith("| `"))
        .map(ProofDocumentTest::cells)
        .toList();
  }

  private static List<String> roomsOfTheBuild() throws IOException {
    List<String> rooms = new ArrayList<>();
    for (String module : List.of("metrics", "core")) {
      Path pom = TestSources.root().resolve(module).resolve("pom.xml");
      ROOM.matcher(Files.readString(pom)).results().forEach(found -> rooms.add(found.group(1)));
    }
    return rooms;
  }
}
