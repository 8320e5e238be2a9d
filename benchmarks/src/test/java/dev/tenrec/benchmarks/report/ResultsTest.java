// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.DoublePredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {

  private static final DoublePredicate ANY = distance -> true;

  @Test
  void parse_forks_takesTheMedianOfTheirMedians() {
    Measurement floor = only(Results.parse(Canned.list(Canned.FLOOR)));

    assertThat(floor.label()).isEqualTo("SemaphoreExecution.floor@1");
    assertThat(floor.forkNanos()).containsExactly(50.0, 53.0);
    assertThat(floor.nanos()).isEqualTo(51.5);
    assertThat(floor.spread()).isCloseTo(3 / 51.5, within(1e-9));
    assertThat(floor.bytes()).isEqualTo(0.01);
  }

  @Test
  void read_filesOfSeveralRounds_joinsTheirForks(@TempDir Path directory) throws IOException {
    Path first = Files.writeString(directory.resolve("a.json"), Canned.list(Canned.FLOOR));
    Path second = Files.writeString(directory.resolve("b.json"), Canned.list(Canned.FLOOR));

    assertThat(only(Results.read(List.of(kept(first), kept(second)), ANY)).forkNanos())
        .containsExactly(50.0, 53.0, 50.0, 53.0);
  }

  @Test
  void read_forAJobOfSomeMethods_leavesOutTheOthers(@TempDir Path directory) throws IOException {
    String both = Canned.list(Canned.FLOOR, Canned.TENREC);
    Path file = Files.writeString(directory.resolve("a.json"), both);
    Job some = Job.some("SemaphoreExecution", 1, "floor");

    assertThat(only(Results.read(List.of(new Kept(file, some)), ANY)).method()).isEqualTo("floor");
  }

  @Test
  void read_aBrokenFile_namesIt(@TempDir Path directory) throws IOException {
    Path broken = Files.writeString(directory.resolve("broken.json"), "{}");

    assertThatThrownBy(() -> Results.read(List.of(kept(broken)), ANY))
        .hasMessageContaining("broken.json: not what JMH writes");
  }

  @Test
  void beside_otherParametersAndThreads_areNotCompared() {
    Results results =
        Results.parse(
            Canned.list(
                Canned.entry("ManyCommands.tenrec", 1, "\"keys\":\"100\"", "[[70]]", "0"),
                Canned.entry("ManyCommands.floor", 1, "\"keys\":\"1\"", "[[57]]", "0"),
                Canned.entry("ManyCommands.floor", 1, "\"keys\":\"100\"", "[[58]]", "0"),
                Canned.entry("ManyCommands.floor", 2, "\"keys\":\"100\"", "[[99]]", "0")));
    Measurement tenrec = results.find("ManyCommands.tenrec/100@1").orElseThrow();

    assertThat(results.beside(tenrec, "floor").orElseThrow().nanos()).isEqualTo(58);
  }

  @Test
  void beside_aFloorWithoutParameters_isComparedWithAll() {
    Results results =
        Results.parse(
            Canned.list(
                Canned.entry("ThreadPoolExecution.tenrec", 8, "\"queue\":\"10\"", "[[9]]", "0"),
                Canned.entry("ThreadPoolExecution.bareSubmitGetTimed", 8, "", "[[8]]", "0")));
    Measurement tenrec = results.find("ThreadPoolExecution.tenrec/10@8").orElseThrow();

    assertThat(results.beside(tenrec, "bareSubmitGetTimed")).isPresent();
  }

  @Test
  void parse_aGroup_hasItsParts() {
    String group =
        Canned.entry("MetricsReadWhileWriting.tenrec", 8, "", "[[90]]", "0")
            .replace(
                "\"gc.alloc.rate\" :",
                "\"tenrecWrite\" : {\"scoreUnit\" : \"ns/op\", \"rawData\" : [[80]]}, \"gc.alloc.rate\" :");

    Results results = Results.parse(Canned.list(group));

    assertThat(results.find("MetricsReadWhileWriting.tenrecWrite@8").orElseThrow().nanos())
        .isEqualTo(80);
  }

  @Test
  void parse_aFootprint_hasBytesAlone() {
    Measurement one =
        only(Results.parse("[{\"footprint\": \"tenrecNeverCalled\", \"bytes\": 808.0}]"));

    assertThat(one.label()).isEqualTo("Footprint.tenrecNeverCalled@1");
    assertThat(one.bytes()).isEqualTo(808);
    assertThat(one.hasNanos()).isFalse();
  }

  @Test
  void read_iterationsAtSeveralDistances_comparesLikeWithLike(@TempDir Path directory)
      throws IOException {
    String tenrec = Canned.entry("A.tenrec", 8, "", "[[30,50],[32,34],[52,54]]", "7");
    String floor = Canned.entry("A.floor", 8, "", "[[20],[21],[22]]", "0");
    String json =
        Canned.list(
            Canned.at("[[84,420],[85,90],[430,425]]", tenrec),
            Canned.at("[[420],[410],[400]]", floor),
            Canned.FLOOR,
            "{\"footprint\": \"tenrecNeverCalled\", \"bytes\": 808.0}");
    Path file = Files.writeString(directory.resolve("a.json"), json);
    List<Kept> files = List.of(new Kept(file, Job.all("A", 8)));

    Distances distances = Distances.of(files);
    assertThat(distances).isEqualTo(new Distances(84, 430));
    assertThat(distances.differ()).isTrue();
    Results near = Results.read(files, distances::isNear);
    assertThat(near.find("A.tenrec@8").orElseThrow().forkNanos()).containsExactly(30.0, 33.0);
    assertThat(near.find("A.tenrec@8").orElseThrow().bytes()).isEqualTo(7);
    assertThat(near.find("A.floor@8").orElseThrow().hasNanos()).isFalse();
    assertThat(near.find("SemaphoreExecution.floor@1").orElseThrow().hasNanos()).isTrue();
    assertThat(new Table(near).markdown()).doesNotContain("A.floor").contains("Footprint");
    Results apart = Results.read(files, distances::isApart);
    assertThat(apart.find("A.tenrec@8").orElseThrow().forkNanos()).containsExactly(50.0, 53.0);
    assertThat(apart.find("A.floor@8").orElseThrow().nanos()).isEqualTo(21);
    assertThat(new Table(apart).markdown())
        .doesNotContain("SemaphoreExecution")
        .doesNotContain("Footprint");
  }

  @Test
  void read_fewerDistancesThanScores_isRefused(@TempDir Path directory) throws IOException {
    String json = Canned.list(Canned.at("[[84],[85]]", Canned.FLOOR));
    Path file = Files.writeString(directory.resolve("a.json"), json);

    assertThatThrownBy(() -> Results.read(List.of(kept(file)), ANY))
        .hasMessageContaining("a.json: expected as many distances as scores");
  }

  @Test
  void distances_whereNoneWasMeasured_areAllNear(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("a.json"), Canned.list(Canned.FLOOR));

    Distances distances = Distances.of(List.of(kept(file)));

    assertThat(distances.differ()).isFalse();
    assertThat(only(Results.read(List.of(kept(file)), distances::isNear)).hasNanos()).isTrue();
  }

  @Test
  void parse_anotherUnit_isRefused() {
    String perSecond = Canned.list(Canned.FLOOR.replace("ns/op", "ops/s"));

    assertThatThrownBy(() -> Results.parse(perSecond))
        .hasMessageContaining("is in ops/s, and has to be in ns/op");
  }

  private static Kept kept(Path file) {
    return new Kept(file, Job.all("SemaphoreExecution", 1));
  }

  private static Measurement only(Results results) {
    assertThat(results.all()).hasSize(1);
    return results.all().get(0);
  }
}
