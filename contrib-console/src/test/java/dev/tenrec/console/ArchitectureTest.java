// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.tenrec.metrics.HouseRules;
import dev.tenrec.metrics.Knots;
import org.junit.jupiter.api.Test;

/** What is read and how it is served know nothing of each other. */
class ArchitectureTest {

  private static final String ROOT = "dev.tenrec.console";
  private static final JavaClasses CLASSES = HouseRules.mainClassesOf(ROOT);

  @Test
  void packages_always_areFreeOfCycles() {
    HouseRules.packagesAreFreeOfCycles().check(CLASSES);
  }

  @Test
  void classes_always_areInSmallKnotsOnly() {
    assertThat(Knots.largest(CLASSES)).hasSizeLessThan(3);
  }

  @Test
  void door_always_knowsNothingOfWhatItHandsOut() {
    HouseRules.arrow(
            resideInAPackage(ROOT + ".internal.door"),
            resideInAnyPackage("dev.tenrec.core..", ROOT + ".internal.reading.."),
            "it hands out bytes")
        .check(CLASSES);
  }

  @Test
  void reading_always_knowsNothingOfServers() {
    HouseRules.arrow(
            resideInAPackage(ROOT + ".internal.reading"),
            resideInAnyPackage(
                "com.sun.net.httpserver..", "dev.tenrec.hystrix.stream.internal.server"),
            "it makes bytes")
        .check(CLASSES);
  }

  @Test
  void jackson_always_writesAndReadsWhatTheDoorHandsOnOnly() {
    HouseRules.onlyIn(
            "com.fasterxml..", ROOT + ".internal.reading..", ROOT + ".internal.steering..")
        .check(CLASSES);
  }

  @Test
  void fleets_always_areNamedWhereTheyAreLoadedOnDemandOnly() {
    HouseRules.arrow(
            resideInAPackage(ROOT + "..")
                .and(not(resideInAPackage(ROOT + ".internal.steering")))
                .and(not(simpleName("Builder"))),
            resideInAnyPackage("dev.tenrec.fleet..", ROOT + ".internal.steering"),
            "an application may have none")
        .check(CLASSES);
  }

  @Test
  void hystrixStream_always_lendsItsFeedAndServerOnly() {
    HouseRules.arrow(
            resideInAPackage(ROOT + ".."),
            resideInAnyPackage(
                "dev.tenrec.hystrix.stream", "dev.tenrec.hystrix.stream.internal.event.."),
            "the page has nothing of Hystrix")
        .check(CLASSES);
  }

  @Test
  void servlets_always_areNamedWhereTheyAreLoadedOnDemandOnly() {
    HouseRules.arrow(
            resideInAPackage(ROOT + "..").and(not(simpleName("ConsoleServlet"))),
            resideInAnyPackage("jakarta..", "dev.tenrec.hystrix.stream.internal.servlet.."),
            "an application may have none")
        .check(CLASSES);
  }

  @Test
  void insideOfCore_always_isUnknown() {
    HouseRules.arrow(
            resideInAPackage(ROOT + ".."),
            resideInAnyPackage("dev.tenrec.core.internal..", "dev.tenrec.metrics.internal.."),
            "a publisher does with what every publisher can have")
        .check(CLASSES);
  }

  @Test
  void clock_always_isGiven() {
    HouseRules.readsTimeOnlyIn("dev.tenrec.metrics.time..").check(CLASSES);
  }

  @Test
  void threads_always_areOfOthers_butForThoseThatReadInstancesStreams() {
    HouseRules.makesThreadsOnlyIn("dev.tenrec.core.internal.isolation..")
        .check(CLASSES.that(not(simpleName("RelayedStream"))));
  }

  @Test
  void names_always_sayWhatAClassDoes() {
    HouseRules.namesSayWhat().check(CLASSES);
  }
}
