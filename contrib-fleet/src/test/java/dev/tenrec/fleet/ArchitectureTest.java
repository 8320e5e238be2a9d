// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.tenrec.metrics.HouseRules;
import dev.tenrec.metrics.Knots;
import org.junit.jupiter.api.Test;

/** The arrows: what a user types stands on internal, that on what is kept and on the store. */
class ArchitectureTest {

  private static final String ROOT = "dev.tenrec.fleet";
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
  void store_always_knowsNothingOfWhatIsKept() {
    HouseRules.arrow(
            resideInAPackage(ROOT + ".store"),
            resideInAPackage(ROOT)
                .or(resideInAPackage(ROOT + ".model.."))
                .or(resideInAPackage(ROOT + ".internal..")),
            "a store keeps texts")
        .check(CLASSES);
  }

  @Test
  void model_always_isALeaf() {
    HouseRules.arrow(
            resideInAPackage(ROOT + ".model"),
            resideInAPackage(ROOT)
                .or(resideInAPackage(ROOT + ".store.."))
                .or(resideInAPackage(ROOT + ".internal..")),
            "what is written is named by all")
        .check(CLASSES);
  }

  @Test
  void internals_ofCore_areUnknown() {
    HouseRules.oursOnlyIn("dev.tenrec.core.internal..").check(CLASSES);
    HouseRules.oursOnlyIn("dev.tenrec.metrics.internal..").check(CLASSES);
  }

  @Test
  void jackson_always_isNamedInTwoClassesOnly() {
    HouseRules.onlyIn("com.fasterxml..")
        .check(CLASSES.that(not(simpleName("Json")).and(not(simpleName("JsonTree")))));
  }

  @Test
  void clock_always_isGiven() {
    HouseRules.readsTimeOnlyIn("dev.tenrec.metrics.time..").check(CLASSES);
  }

  @Test
  void threads_always_areTheFollowersOnly() {
    HouseRules.makesThreadsOnlyIn("dev.tenrec.core.internal.isolation..")
        .check(CLASSES.that(not(simpleName("Follower"))));
  }

  @Test
  void names_always_sayWhatAClassDoes() {
    HouseRules.namesSayWhat().check(CLASSES);
  }
}
