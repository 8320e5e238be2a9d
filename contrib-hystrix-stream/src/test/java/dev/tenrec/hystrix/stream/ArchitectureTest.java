// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.tenrec.metrics.HouseRules;
import dev.tenrec.metrics.Knots;
import org.junit.jupiter.api.Test;

/** What is streamed, how clients are served, and each server know as little as they can. */
class ArchitectureTest {

  private static final String ROOT = "dev.tenrec.hystrix.stream";
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
  void feed_always_knowsNothingOfWhatItFeeds() {
    HouseRules.arrow(
            resideInAPackage(ROOT + ".internal.feed"),
            resideInAnyPackage("dev.tenrec.core..", ROOT + ".internal.event.."),
            "it hands bytes to clients")
        .check(CLASSES);
  }

  @Test
  void servlets_always_areNamedWhereTheyAreLoadedOnDemandOnly() {
    HouseRules.onlyIn("jakarta..", ROOT + ".internal.servlet..")
        .check(CLASSES.that(not(simpleName("HystrixStreamServlet"))));
  }

  @Test
  void jackson_always_writesEventsOnly() {
    HouseRules.onlyIn("com.fasterxml..", ROOT + ".internal.event..").check(CLASSES);
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
  void threads_always_areTheFeedsAndTheServersOnly() {
    HouseRules.makesThreadsOnlyIn("dev.tenrec.core.internal.isolation..")
        .check(CLASSES.that(not(simpleName("Feed")).and(not(simpleName("ServingThreads")))));
  }

  @Test
  void names_always_sayWhatAClassDoes() {
    HouseRules.namesSayWhat().check(CLASSES);
  }
}
