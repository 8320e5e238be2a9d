// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.opentelemetry;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.tenrec.metrics.HouseRules;
import dev.tenrec.metrics.Knots;
import org.junit.jupiter.api.Test;

/** Publishers stand on core's views and the API; the SDK is loaded for histograms only. */
class ArchitectureTest {

  private static final String ROOT = "dev.tenrec.opentelemetry";
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
  void sdk_always_isNamedByHistogramsOnly() {
    HouseRules.onlyIn("io.opentelemetry.sdk..")
        .check(
            CLASSES.that(
                not(simpleName("TenrecHistograms")).and(not(simpleName("HistogramMetric")))));
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
  void threads_always_areCoresToMake() {
    HouseRules.makesThreadsOnlyIn("dev.tenrec.core.internal.isolation..").check(CLASSES);
  }

  @Test
  void names_always_sayWhatAClassDoes() {
    HouseRules.namesSayWhat().check(CLASSES);
  }
}
