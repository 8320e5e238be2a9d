// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import dev.tenrec.metrics.HouseRules;
import dev.tenrec.metrics.Knots;
import org.junit.jupiter.api.Test;

/** Boot on the outside; below it what it shows, made of core's views. */
class ArchitectureTest {

  private static final String ROOT = "dev.tenrec.actuator";
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
  void typesOfOneLineOfBoot_always_areNamedInTheClassThatIsConditionalOnIt() {
    ArchRuleDefinition.noClasses()
        .that()
        .haveSimpleNameNotStartingWith("Boot3")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                "org.springframework.boot.actuate.health..",
                "org.springframework.boot.actuate.autoconfigure.health.."))
        .check(CLASSES);
    ArchRuleDefinition.noClasses()
        .that()
        .haveSimpleNameNotStartingWith("Boot4")
        .should()
        .dependOnClassesThat(resideInAPackage("org.springframework.boot.health.."))
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
