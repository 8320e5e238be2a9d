// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** A rule that cannot fail is none. */
class HouseRulesTest {

  private static final JavaClasses CLASSES = HouseRules.mainClassesOf("dev.tenrec.metrics.time");

  @Test
  void arrow_fromAPackageThatDoesNotExist_isRefused() {
    assertThatThrownBy(
            () ->
                HouseRules.arrow(
                    resideInAPackage("dev.tenrec.metrics.gone.."),
                    resideInAPackage("dev.tenrec.metrics.time"),
                    "why"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("dev.tenrec.metrics.gone, which does not exist");
  }

  @Test
  void arrow_toAPackageThatDoesNotExist_isRefused() {
    assertThatThrownBy(
            () ->
                HouseRules.arrow(
                    resideInAPackage("dev.tenrec.metrics.time"),
                    resideInAPackage("java..").or(resideInAPackage("dev.tenrec.metrics.gone")),
                    "why"))
        .hasMessageContaining("dev.tenrec.metrics.gone, which does not exist");
  }

  @Test
  void onlyIn_aPackageThatDoesNotExist_isRefused() {
    assertThatThrownBy(() -> HouseRules.onlyIn("java.nio..", "dev.tenrec.metrics.gone.."))
        .hasMessageContaining("dev.tenrec.metrics.gone");
    assertThatThrownBy(() -> HouseRules.readsTimeOnlyIn("dev.tenrec.metrics.gone"))
        .hasMessageContaining("dev.tenrec.metrics.gone");
    assertThatThrownBy(() -> HouseRules.makesThreadsOnlyIn("dev.tenrec.metrics.gone"))
        .hasMessageContaining("dev.tenrec.metrics.gone");
  }

  @Test
  void rule_aboutNoClass_fails() {
    ArchRule rule =
        HouseRules.arrow(
            resideInAPackage("dev.tenrec.metrics.view"),
            resideInAPackage("dev.tenrec.metrics.time"),
            "why");

    assertThatThrownBy(() -> rule.check(CLASSES))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("failed to check any classes");
  }
}
