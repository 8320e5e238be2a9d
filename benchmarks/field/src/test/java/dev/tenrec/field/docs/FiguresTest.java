// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each marked figure of the prose is what the tables say that the programs printed. */
class FiguresTest {

  private static final Path LAB = lab();

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
    List<Figure> figures =
        Figure.in("1,018<!--= 2{payload=1 kB; users=10} answers/s -->, 3 others");

    assertThat(figures).hasSize(1);
    assertThat(figures.get(0).wrong(LAB))
        .hasValueSatisfying(why -> assertThat(why).contains("1017"));
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
