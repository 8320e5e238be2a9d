// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.moved;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.hystrix.kinds.FreshHystrix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An application on Hystrix, and the same after the steps of {@code docs/migration.md}: they differ
 * by these steps, and do the same.
 */
@ExtendWith(FreshHystrix.class)
class MovedApplicationTest {

  private static final Path SOURCES =
      Path.of("src", "test", "java", "dev", "tenrec", "hystrix", "moved");

  /** The first call of each loads classes, which may take longer than a batch waits. */
  @BeforeAll
  static void loadBoth() {
    List<String> unused =
        new dev.tenrec.hystrix.moved.before.OrderDesk(new Far()).page(1, "warm", 1);
    unused = new dev.tenrec.hystrix.moved.after.OrderDesk(new Far()).page(1, "warm", 1);
  }

  @AfterEach
  void forgetTheOriginal() {
    com.netflix.hystrix.Hystrix.reset();
  }

  /** Customer 0 is not found, articles called "x.." fail. */
  private static final class Far
      implements dev.tenrec.hystrix.moved.before.OrderDesk.Services,
          dev.tenrec.hystrix.moved.after.OrderDesk.Services {

    private final List<String> asked = new ArrayList<>();

    List<String> asked() {
      return asked;
    }

    synchronized long batches() {
      return asked.stream().filter(line -> line.startsWith("prices ")).count();
    }

    @Override
    public synchronized String customer(long id) throws Exception {
      asked.add("customer " + id);
      if (id == 0) {
        throw new IOException("no customer 0");
      }
      return "customer " + id;
    }

    @Override
    public synchronized List<Integer> prices(List<String> articles) {
      asked.add("prices " + articles.stream().sorted().toList());
      articles.forEach(Far::check);
      return articles.stream().map(String::length).toList();
    }

    @Override
    public synchronized String order(String article, int pieces) {
      asked.add("order " + article);
      check(article);
      return pieces + " " + article + " ordered";
    }

    @Override
    public synchronized List<String> shelves(String article) {
      asked.add("shelves " + article);
      check(article);
      return List.of("1", "2");
    }

    private static void check(String article) {
      if (article.startsWith("x")) {
        throw new IllegalStateException("no " + article);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"7, pens, 2", "7, pens, 0", "0, pens, 2", "0, xylophones, 1"})
  void page_movedOrNot_isTheSame(long customer, String article, int pieces) {
    Page original =
        page(
            far ->
                new dev.tenrec.hystrix.moved.before.OrderDesk(far).page(customer, article, pieces));
    Page moved =
        page(
            far ->
                new dev.tenrec.hystrix.moved.after.OrderDesk(far).page(customer, article, pieces));

    assertThat(moved.lines()).isEqualTo(original.lines()).hasSizeGreaterThan(5);
    assertThat(moved.far().asked()).containsExactlyInAnyOrderElementsOf(original.far().asked());
  }

  private record Page(Far far, List<String> lines) {}

  /**
   * One whose prices were asked for together. A caller that is held up between the two for as long
   * as a batch waits makes two batches of them, on either side; then it is asked for anew.
   */
  private static Page page(Function<Far, List<String>> desk) {
    Far far = new Far();
    List<String> lines = desk.apply(far);
    for (int tries = 1; tries < 5 && far.batches() > 1; tries++) {
      far = new Far();
      lines = desk.apply(far);
    }
    return new Page(far, lines);
  }

  @Test
  void sources_beforeAndAfter_differByTheStepsOnly() throws IOException {
    List<String> moved =
        lines("before")
            .map(line -> line.replace("com.netflix.hystrix", "dev.tenrec.hystrix"))
            .map(line -> line.replace("import rx.", "import io.reactivex.rxjava3.core."))
            .map(line -> line.replace("Observable.from(", "Observable.fromIterable("))
            .map(line -> line.replace(".moved.before;", ".moved.after;"))
            .toList();

    List<String> left = lines("after").toList();
    assertThat(moved.stream().filter(line -> !left.contains(line)))
        .containsExactlyInAnyOrder(
            "new FindShelves(article)",
            ".toObservable()",
            ".toBlocking()",
            ".forEach(shelf -> lines.add(\"at \" + shelf));");
    assertThat(left.stream().filter(line -> !moved.contains(line)))
        .containsExactly(
            "new FindShelves(article).toObservable().blockingForEach(shelf -> lines.add(\"at \" +"
                + " shelf));");
  }

  private static Stream<String> lines(String side) throws IOException {
    return Files.readAllLines(SOURCES.resolve(side).resolve("OrderDesk.java")).stream()
        .map(String::strip);
  }
}
