// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.tenrec.metrics.HouseRules;
import dev.tenrec.metrics.Knots;
import org.junit.jupiter.api.Test;

/** The kit stands on what every application can have, and names Spring in its own rooms only. */
class ArchitectureTest {

  private static final String ROOT = "dev.tenrec.test";
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
  void insideOfOtherModules_always_isUnknown() {
    HouseRules.arrow(
            resideInAPackage(ROOT + ".."),
            resideInAnyPackage(
                "dev.tenrec.core.internal..",
                "dev.tenrec.metrics.internal..",
                "dev.tenrec.annotations.internal.."),
            "the kit does with what every application can have")
        .check(CLASSES);
  }

  @Test
  void spring_always_isNamedWhereItIsLoadedOnDemandOnly() {
    HouseRules.onlyIn("org.springframework..", ROOT + ".internal.spring..").check(CLASSES);
    HouseRules.oursOnlyIn("dev.tenrec.annotations..", ROOT + ".internal.spring..").check(CLASSES);
  }

  @Test
  void clock_always_isReadThroughTheTicker() {
    HouseRules.readsTimeOnlyIn("dev.tenrec.metrics.time..", ROOT).check(CLASSES); // it waits, too
  }

  @Test
  void threads_always_areCoresToMake() {
    HouseRules.makesThreadsOnlyIn("dev.tenrec.core.internal.isolation..").check(CLASSES);
  }

  @Test
  void names_always_sayWhatAClassDoes() {
    HouseRules.namesSayWhat().check(CLASSES);
  }
}
