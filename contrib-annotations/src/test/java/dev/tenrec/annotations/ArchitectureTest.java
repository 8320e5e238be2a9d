// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.tenrec.metrics.HouseRules;
import dev.tenrec.metrics.Knots;
import org.junit.jupiter.api.Test;

/** The arrows: Boot and web stand on Spring's part, that on invocation, that on declarations. */
class ArchitectureTest {

  private static final String ROOT = "dev.tenrec.annotations";
  private static final JavaClasses CLASSES = HouseRules.mainClassesOf(ROOT);

  @Test
  void packages_always_areFreeOfCycles() {
    HouseRules.packagesAreFreeOfCycles().check(CLASSES);
  }

  @Test
  void classes_always_areInSmallKnotsOnly() {
    assertThat(Knots.largest(CLASSES)).hasSizeLessThan(8);
  }

  @Test
  void annotations_always_knowNothingBelow() {
    HouseRules.arrow(
            resideInAPackage(ROOT),
            resideInAPackage(ROOT + ".*.."),
            "what a user types is a leaf here")
        .check(CLASSES);
  }

  @Test
  void declarations_always_doNotKnowWhoCallsThem() {
    HouseRules.arrow(
            resideInAPackage(ROOT + ".internal.declaration.."),
            resideInAPackage(ROOT + ".*..")
                .and(resideOutsideOfPackages(ROOT + ".internal.declaration..")),
            "reading is done at start-up, by whom does not matter")
        .check(CLASSES);
  }

  @Test
  void reactor_always_isNamedWhereItIsLoadedForItsOwnTypesOnly() {
    HouseRules.onlyIn("reactor..", ROOT + ".internal.invocation..", ROOT + ".web..").check(CLASSES);
  }

  @Test
  void kotlin_always_isNamedWhereItsFunctionsAreCalledOnly() {
    HouseRules.onlyIn("kotlin..", ROOT + ".internal.invocation..").check(CLASSES);
    HouseRules.onlyIn("kotlinx..", ROOT + ".internal.invocation..").check(CLASSES);
  }

  @Test
  void transactionsAndMocks_always_areNamedWhereTheyAreRecognizedOnly() {
    HouseRules.onlyIn("org.springframework.transaction..", ROOT + ".internal.spring..")
        .check(CLASSES);
    HouseRules.onlyIn("org.mockito..", ROOT + ".internal.spring..").check(CLASSES);
  }

  @Test
  void boot_always_isNamedInItsPackageOnly() {
    HouseRules.onlyIn("org.springframework.boot..", ROOT + ".boot..", ROOT + ".internal.boot..")
        .check(CLASSES);
  }

  @Test
  void cloud_always_isNamedWhereItIsLoadedIfItIsThereOnly() {
    HouseRules.onlyIn("org.springframework.cloud..", ROOT + ".internal.boot..").check(CLASSES);
  }

  @Test
  void metadata_always_isForToolsOnly() {
    HouseRules.onlyIn(ROOT + ".internal.metadata..", ROOT + ".internal.metadata..").check(CLASSES);
  }

  @Test
  void servlets_always_areNamedInWebOnly() {
    HouseRules.onlyIn("jakarta.servlet..", ROOT + ".web..").check(CLASSES);
  }

  @Test
  void archaius_always_isUnknown() {
    HouseRules.onlyIn("com.netflix..").check(CLASSES);
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
