// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each marked figure of the prose is what the tables say that the programs printed. */
class FiguresTest {

  private static final Path LAB = lab();
  private static final String GIVEN = "given-figures.txt";

  @Test
  void figures_inTheProse_areThoseOfTheTables() throws IOException {
    List<String> wrong = new ArrayList<>();
    int marked = 0;
    for (Path page : pages()) {
      for (Figure figure : Figure.in(Files.readString(page))) {
        marked++;
        figure.wrong(LAB).ifPresent(why -> wrong.add(page.getFileName() + ": " + why));
      }
    }

    assertThat(wrong).isEmpty();
    assertThat(marked).as("marked figures").isGreaterThan(20);
  }

  /**
   * A number that was measured has a mark. All others are settings, counts of what there is, or the
   * original's: each page's are on a list, so that no figure comes into the prose unseen.
   */
  @Test
  void figures_withoutAMark_areSettingsOrTheOriginals() throws IOException {
    Map<String, Set<String>> given = given();
    Map<String, Set<String>> unknown = new TreeMap<>();
    for (Path page : pages()) {
      String name = page.getFileName().toString();
      Set<String> numbers = new TreeSet<>(Figure.unmarked(Files.readString(page)));
      numbers.removeAll(given.getOrDefault(name, Set.of()));
      if (!numbers.isEmpty()) {
        unknown.put(name, numbers);
      }
    }

    assertThat(unknown)
        .as("unmarked figures: mark them, or, if none was measured, add them to " + GIVEN)
        .isEmpty();
  }

  @Test
  void unmarked_ofProse_leavesOutWhatWasPrintedCodeAndMarks() {
    assertThat(
            Figure.unmarked(
                """
                ## 3. A heading
                It took 1,000, then 2.5 s, of `17` 60 %<!--= 2{a=b} c ÷ 4 --> [it](a-4.md).
                | 12 | 13 |
                ## The table
                99 %
                ## How
                JDK 17, 2 processors
                A p99 of 7."""))
        .containsExactly("1,000", "2.5", "7");
  }

  @Test
  void unmarked_ofAPageThatPrintsNothing_hasThoseOfItsTables() {
    assertThat(Figure.unmarked("| it takes | 3 s, 60 %<!--= 2{a=b} c --> |")).containsExactly("3");
  }

  @Test
  void figure_ofASecondNumberAndADifference_isReckoned() {
    Figure figure =
        Figure.in(
                "573<!--= 2{payload=1 kB; consumers=guarded; circuits closed at the end=2 of 2} no"
                    + " thread / short-circuited [2] − 2{payload=1 kB; consumers=guarded; circuits"
                    + " closed at the end=2 of 2} no thread / short-circuited -->")
            .get(0);

    assertThat(figure.wrong(LAB)).isEmpty();
  }

  /** By page. */
  private static Map<String, Set<String>> given() throws IOException {
    Map<String, Set<String>> given = new TreeMap<>();
    for (String line : Files.readAllLines(Path.of("src/test/resources").resolve(GIVEN))) {
      if (!line.startsWith("#")) {
        String[] sides = line.split(": ", 2);
        given.put(sides[0], Set.of(sides[1].split(" ")));
      }
    }
    return given;
  }

  @Test
  void everyTable_measuredBeforeTheBarrier_saysSo() throws IOException {
    for (Path page : pages()) {
      String text = Files.readString(page);
      if (text.contains("closed model") && text.contains("## The table")) {
        assertThat(text.contains("users there |") || text.contains("Measured before the barrier"))
            .as("%s", page)
            .isTrue();
      }
    }
  }

  @Test
  void figure_thatIsNotTheTables_isFound() {
    List<Figure> figures = Figure.in("349<!--= 2{payload=1 kB; users=10} answers/s -->, 3 others");

    assertThat(figures).hasSize(1);
    assertThat(figures.get(0).wrong(LAB))
        .hasValueSatisfying(why -> assertThat(why).contains("348"));
  }

  @Test
  void figure_ofNoRow_isFound() {
    Figure figure = Figure.in("7<!--= 2{payload=1 kB; users=11} answers/s -->").get(0);

    assertThat(figure.wrong(LAB)).hasValueSatisfying(why -> assertThat(why).contains("0 rows"));
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> systems = Files.list(LAB.resolve("field-systems"))) {
      List<Path> pages = new ArrayList<>(systems.sorted().toList());
      pages.add(LAB.resolve("field-systems.md"));
      pages.add(LAB.resolve("lessons.md"));
      pages.add(LAB.resolve("attempts.md"));
      pages.add(LAB.resolve("guards.md"));
      pages.add(LAB.resolveSibling("how-to").resolve("tuning.md"));
      return pages;
    }
  }

  private static Path lab() {
    Path here = Path.of("").toAbsolutePath();
    while (here != null && !Files.isDirectory(here.resolve("docs/lab/field-systems"))) {
      here = here.getParent();
    }
    assertThat(here).as("the project's directory").isNotNull();
    return here.resolve("docs/lab");
  }
}
