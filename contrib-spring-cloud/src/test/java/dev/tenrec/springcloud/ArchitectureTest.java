// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.tenrec.metrics.HouseRules;
import dev.tenrec.metrics.Knots;
import org.junit.jupiter.api.Test;

/** Boot on the outside, then the factories, then circuit breakers as commands. */
class ArchitectureTest {

  private static final String ROOT = "dev.tenrec.springcloud";
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
            "it does with what every application can have")
        .check(CLASSES);
  }

  @Test
  void boot_always_isNamedInItsPackageOnly() {
    HouseRules.onlyIn("org.springframework.boot..", ROOT + ".boot..").check(CLASSES);
  }

  @Test
  void feign_always_isNamedWhereItIsLoadedIfItIsThereOnly() {
    HouseRules.onlyIn("feign..", ROOT + ".internal..").check(CLASSES);
    HouseRules.onlyIn(
            "org.springframework.cloud.openfeign..", ROOT + ".internal..", ROOT + ".boot..")
        .check(CLASSES);
  }

  @Test
  void clock_always_isCoresToRead() {
    HouseRules.readsTimeOnlyIn("dev.tenrec.metrics.time..").check(CLASSES);
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
