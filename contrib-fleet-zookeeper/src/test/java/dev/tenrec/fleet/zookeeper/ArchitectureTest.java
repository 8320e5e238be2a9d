// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.tenrec.metrics.HouseRules;
import dev.tenrec.metrics.Knots;
import org.junit.jupiter.api.Test;

/** What of Tenrec this module may name, and what it leaves to others. */
class ArchitectureTest {

  private static final JavaClasses CLASSES = HouseRules.mainClassesOf("dev.tenrec.fleet.zookeeper");

  @Test
  void classes_always_areInSmallKnotsOnly() {
    assertThat(Knots.largest(CLASSES)).hasSizeLessThan(3);
  }

  @Test
  void internals_always_areUnknown() {
    HouseRules.onlyIn("dev.tenrec..internal..").check(CLASSES);
    HouseRules.oursOnlyIn("dev.tenrec.fleet.internal..").check(CLASSES);
  }

  @Test
  void clock_always_isOthersToRead() {
    HouseRules.readsTimeOnlyIn("dev.tenrec.metrics.time..").check(CLASSES);
  }

  @Test
  void threads_always_areCurators() {
    HouseRules.makesThreadsOnlyIn("dev.tenrec.core.internal.isolation..").check(CLASSES);
  }

  @Test
  void names_always_sayWhatAClassDoes() {
    HouseRules.namesSayWhat().check(CLASSES);
  }
}
