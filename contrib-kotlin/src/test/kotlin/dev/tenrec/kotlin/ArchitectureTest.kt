// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.kotlin

import com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage
import com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage
import dev.tenrec.metrics.HouseRules
import dev.tenrec.metrics.Knots
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

/** Commands of coroutines do with what every user of core has. */
class ArchitectureTest {

  private val root = "dev.tenrec.kotlin"
  private val classes = HouseRules.mainClassesOf(root)

  @Test
  fun packages_always_areFreeOfCycles() {
    HouseRules.packagesAreFreeOfCycles().check(classes)
  }

  @Test
  fun classes_always_areInSmallKnotsOnly() {
    assertThat(Knots.largest(classes)).hasSizeLessThan(3)
  }

  @Test
  fun insideOfOtherModules_always_isUnknown() {
    HouseRules.arrow(
            resideInAPackage("$root.."),
            resideInAnyPackage("dev.tenrec.core.internal..", "dev.tenrec.metrics.internal.."),
            "it does with what every application can have",
        )
        .check(classes)
  }

  @Test
  fun spring_always_isUnknown() {
    HouseRules.onlyIn("org.springframework..").check(classes)
    HouseRules.onlyIn("dev.tenrec.annotations..").check(classes)
  }

  @Test
  fun clock_always_isCoresToRead() {
    HouseRules.readsTimeOnlyIn("dev.tenrec.metrics.time..").check(classes)
  }

  @Test
  fun names_always_sayWhatAClassDoes() {
    HouseRules.namesSayWhat().check(classes)
  }
}
