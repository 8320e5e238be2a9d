// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.moved;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.hystrix.kinds.FreshHystrix;
import dev.tenrec.hystrix.moved.before.Endings.Door;
import dev.tenrec.hystrix.moved.before.Endings.Ending;
import dev.tenrec.hystrix.moved.before.Endings.Fallback;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On Hystrix and here, callers, the instance and its hook see the same of each ending. */
@ExtendWith(FreshHystrix.class)
class SameEndingsTest {

  private static final Path SOURCES =
      Path.of("src", "test", "java", "dev", "tenrec", "hystrix", "moved");

  private com.netflix.hystrix.strategy.concurrency.HystrixRequestContext before;
  private dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext after;

  @BeforeEach
  void open() {
    before = com.netflix.hystrix.strategy.concurrency.HystrixRequestContext.initializeContext();
    after = dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext.initializeContext();
  }

  @AfterEach
  void close() {
    before.close();
    after.close();
    com.netflix.hystrix.Hystrix.reset();
  }

  @ParameterizedTest
  @EnumSource
  void ending_onEither_looksTheSame(Ending ending) {
    for (String strategy : List.of("THREAD", "SEMAPHORE")) {
      if (ending == Ending.TIMEOUT && strategy.equals("SEMAPHORE")) {
        continue; // its caller stays with the work here: the page says so
      }
      for (Fallback fallback : Fallback.values()) {
        for (Door door : Door.values()) {
          same(ending, fallback, strategy, door, false);
          same(ending, fallback, strategy, door, true);
        }
      }
    }
  }

  private static void same(
      Ending ending, Fallback fallback, String strategy, Door door, boolean cached) {
    String key = String.join(" ", ending + "", fallback + "", strategy, door + "", cached + "");

    List<String> original =
        new dev.tenrec.hystrix.moved.before.Endings(key, ending, fallback, strategy, door, cached)
            .seen();
    List<String> moved =
        new dev.tenrec.hystrix.moved.after.Endings(
                key,
                dev.tenrec.hystrix.moved.after.Endings.Ending.valueOf(ending.name()),
                dev.tenrec.hystrix.moved.after.Endings.Fallback.valueOf(fallback.name()),
                strategy,
                dev.tenrec.hystrix.moved.after.Endings.Door.valueOf(door.name()),
                cached)
            .seen();

    assertThat(named(moved)).as(key).isEqualTo(named(original)).hasSizeGreaterThan(9);
  }

  private static List<String> named(List<String> seen) {
    return seen.stream()
        .map(line -> line.replace("com.netflix.hystrix", "dev.tenrec.hystrix"))
        .toList();
  }

  @Test
  void sources_beforeAndAfter_differByNamesOfPackagesOnly() throws IOException {
    assertThat(lines("before").toList()).isEqualTo(lines("after").toList());
  }

  private static Stream<String> lines(String side) throws IOException {
    return Files.readAllLines(SOURCES.resolve(side).resolve("Endings.java")).stream()
        .map(line -> line.replace("com.netflix.hystrix", "dev.tenrec.hystrix"))
        .map(line -> line.replace(".moved.before;", ".moved.after;"));
  }
}
