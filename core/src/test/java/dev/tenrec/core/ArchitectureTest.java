// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.tenrec.metrics.HouseRules;
import dev.tenrec.metrics.Knots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The floors: what a user types, the doors, the rooms of a call, the mechanisms, the leaves. */
class ArchitectureTest {

  private static final String CORE = "dev.tenrec.core";
  private static final String INTERNAL = CORE + ".internal";
  private static final JavaClasses CLASSES = HouseRules.mainClassesOf(CORE);

  /**
   * What each package below the top may name of core; from the leaves up, each line stands on those
   * before it only.
   */
  private static final String FLOORS =
      """
      outcome              :
      work                 : outcome
      sizing               :
      context              :
      breaker              :
      retry                :
      config               :
      config.archaius      : config
      listener             : breaker config outcome work
      view                 : breaker config outcome
      internal.text        :
      internal.config      : config internal.text
      internal.isolation   :
      internal.timeout     :
      internal.rate        :
      internal.cache       :
      internal.retry       : retry
      internal.context     : context
      internal.callback    : internal.text internal.timeout
      internal.breaker     : breaker internal.text outcome
      internal.collapser   : internal.callback internal.context internal.text internal.timeout outcome work
      internal.sampling    : internal.callback internal.timeout
      internal.request     : context internal.cache internal.context
      internal.listening   : breaker internal.callback internal.text listener
      internal.flight      : breaker config view
      internal.journal     : breaker config internal.callback internal.flight internal.text outcome view
      internal.launch      : config internal.config internal.isolation view
      internal.gate        : config internal.config internal.breaker internal.isolation internal.launch\
       internal.rate outcome work
      advice               : config internal.gate sizing view
      internal.call        : breaker config internal.config context internal.breaker internal.callback\
       internal.context internal.flight internal.gate internal.isolation internal.journal internal.launch\
       internal.listening internal.request internal.retry internal.sampling internal.text internal.timeout listener outcome\
       view work
      internal.attempt     : context internal.breaker internal.call internal.callback internal.config internal.context\
       internal.gate internal.retry internal.timeout outcome retry work
      internal.stream      : context internal.call internal.context internal.flight internal.gate internal.text internal.timeout\
       outcome work
      internal.sharing     : config internal.config context internal.cache internal.call internal.callback\
       internal.context internal.flight internal.gate internal.request outcome
      internal.batch       : config internal.config context internal.cache internal.call internal.callback\
       internal.collapser internal.context internal.gate internal.request internal.timeout\
       listener outcome view work
      internal.door        : internal.batch internal.call internal.collapser outcome
      internal.engine      : config internal.config internal.batch internal.call internal.callback internal.gate\
       internal.isolation internal.launch internal.retry internal.timeout view
      """;

  private static Map<String, Set<String>> floors() {
    Map<String, Set<String>> floors = new TreeMap<>();
    FLOORS
        .lines()
        .forEach(
            line -> {
              String[] parts = line.split(":", -1);
              floors.put(
                  parts[0].trim(),
                  Arrays.stream(parts[1].trim().split(" ")).collect(Collectors.toSet()));
            });
    return floors;
  }

  static Stream<String> packages() {
    return floors().keySet().stream();
  }

  @Test
  void packages_always_areFreeOfCycles() {
    HouseRules.packagesAreFreeOfCycles().check(CLASSES);
  }

  @Test
  void packages_always_areThoseOfTheFloorsAndTheTop() {
    Set<String> present = new TreeSet<>();
    CLASSES.forEach(type -> present.add(type.getPackageName()));
    Set<String> planned = new TreeSet<>(Set.of(CORE));
    packages().forEach(name -> planned.add(CORE + "." + name));
    assertThat(present).isEqualTo(planned);
  }

  @ParameterizedTest
  @MethodSource("packages")
  void package_always_namesWhatItsFloorStandsOnOnly(String name) {
    String self = CORE + "." + name;
    String[] allowed =
        Stream.concat(Stream.of(self), floors().get(name).stream().map(each -> CORE + "." + each))
            .toArray(String[]::new);
    HouseRules.arrow(
            resideInAPackage(self),
            resideInAPackage(CORE + "..").and(resideOutsideOfPackages(allowed)),
            "arrows point down")
        .check(CLASSES);
  }

  @Test
  void floors_always_standOnEarlierOnesOnly() {
    Set<String> before = new TreeSet<>();
    FLOORS
        .lines()
        .forEach(
            line -> {
              String name = line.split(":", -1)[0].trim();
              assertThat(before).as(name).containsAll(known(name));
              before.add(name);
            });
  }

  private static Set<String> known(String name) {
    return floors().get(name).stream().filter(each -> !each.isEmpty()).collect(Collectors.toSet());
  }

  /** A knot of classes can be explained while it is small; inside the heart it may not grow. */
  @Test
  void call_always_hasNoLargerKnotOfClassesThanItExplains() throws IOException {
    String explained =
        Files.readString(Path.of("src/main/java/dev/tenrec/core/internal/call/package-info.java"));

    assertThat(Knots.largest(CLASSES.that(resideInAPackage(INTERNAL + ".call"))))
        .hasSizeLessThan(22)
        .allSatisfy(
            type ->
                assertThat(explained)
                    .containsPattern(
                        "@link\\s[\\s*]*" + type.substring(type.lastIndexOf('.') + 1) + "\\}"));
  }

  @Test
  void packages_outsideOfTheHeart_haveSmallKnotsOnly() {
    Stream.concat(Stream.of(CORE), packages().map(name -> CORE + "." + name))
        .filter(name -> !name.equals(INTERNAL + ".call"))
        .forEach(
            name ->
                assertThat(Knots.largest(CLASSES.that(resideInAPackage(name))))
                    .as(name)
                    .hasSizeLessThan(10));
  }

  @Test
  void breaker_always_knowsHealthAndTimeOfMetricsOnly() {
    HouseRules.arrow(
            resideInAPackage(INTERNAL + ".breaker"),
            resideInAPackage("dev.tenrec.metrics..")
                .and(
                    resideOutsideOfPackages("dev.tenrec.metrics.health", "dev.tenrec.metrics.time"))
                .and(not(simpleName("CircuitState"))), // what it is called everywhere
            "the breaker asks for health and is given the time")
        .check(CLASSES);
  }

  @Test
  void archaius_always_isNamedInItsPackageOnly() {
    HouseRules.onlyIn("com.netflix..", CORE + ".config..").check(CLASSES);
  }

  @Test
  void rx_always_isNamedAtTheDoorsOnly() {
    HouseRules.onlyIn("io.reactivex..", CORE, INTERNAL + ".door").check(CLASSES);
  }

  @Test
  void reactiveStreams_always_areNamedWhereStreamsPass() {
    // the types are the JVM's common ones, which a user's work returns whatever made its stream; so
    // they go down to where Rx may not
    HouseRules.onlyIn(
            "org.reactivestreams..",
            CORE,
            CORE + ".work",
            INTERNAL + ".stream",
            INTERNAL + ".call",
            INTERNAL + ".sampling")
        .check(CLASSES);
  }

  @Test
  void flightRecorder_always_isNamedInItsPackageOnly() {
    HouseRules.onlyIn("jdk.jfr..", INTERNAL + ".flight").check(CLASSES);
  }

  @Test
  void hdrHistogram_always_isUnknown() {
    HouseRules.onlyIn("org.HdrHistogram..").check(CLASSES);
  }

  @Test
  void clock_always_isReadInMetricsOnly() {
    HouseRules.readsTimeOnlyIn("dev.tenrec.metrics.time..").check(CLASSES);
  }

  @Test
  void threads_always_areMadeInIsolationOnly() {
    // the callbacks run on the JDK's pool, with threads of isolation's factory: nobody's permits
    // depend on it
    HouseRules.makesThreadsOnlyIn(INTERNAL + ".isolation")
        .check(CLASSES.that(not(simpleName("RunnerThreads"))));
  }

  @Test
  void names_always_sayWhatAClassDoes() {
    HouseRules.namesSayWhat().check(CLASSES);
  }
}
