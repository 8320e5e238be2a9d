// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.tenrec.metrics.HouseRules;
import dev.tenrec.metrics.Knots;
import org.junit.jupiter.api.Test;

/** Recipes know the names of what they move; they run without the engine. */
class ArchitectureTest {

  private static final JavaClasses CLASSES = HouseRules.mainClassesOf("dev.tenrec.hystrix.rewrite");

  @Test
  void classes_always_areInSmallKnotsOnly() {
    assertThat(Knots.largest(CLASSES)).hasSizeLessThan(3);
  }

  @Test
  void engine_always_isUnknown() {
    HouseRules.onlyIn("dev.tenrec.core..").check(CLASSES);
    HouseRules.onlyIn("com.netflix..").check(CLASSES);
  }

  @Test
  void clock_always_isOthersToRead() {
    HouseRules.readsTimeOnlyIn("dev.tenrec.metrics.time..").check(CLASSES);
  }

  @Test
  void names_always_sayWhatAClassDoes() {
    HouseRules.namesSayWhat().check(CLASSES);
  }
}
