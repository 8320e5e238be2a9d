// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

  private static final JavaClasses CLASSES = HouseRules.mainClassesOf("dev.tenrec.metrics");

  @Test
  void packages_always_areFreeOfCycles() {
    HouseRules.packagesAreFreeOfCycles().check(CLASSES);
  }

  @Test
  void classes_always_areInSmallKnotsOnly() {
    assertThat(Knots.largest(CLASSES)).hasSizeLessThan(4);
  }

  @Test
  void metrics_always_doesNotKnowCore() {
    // below core, so that core is not even on its class path
    HouseRules.onlyIn("dev.tenrec.core..").check(CLASSES);
  }

  @Test
  void hdrHistogram_always_isNamedInLatencyOnly() {
    HouseRules.onlyIn("org.HdrHistogram..", "dev.tenrec.metrics.latency").check(CLASSES);
  }

  @Test
  void archaiusAndRx_always_areUnknown() {
    HouseRules.onlyIn("com.netflix..").check(CLASSES);
    HouseRules.onlyIn("io.reactivex..").check(CLASSES);
  }

  @Test
  void clock_always_isReadInTimeOnly() {
    HouseRules.readsTimeOnlyIn("dev.tenrec.metrics.time..").check(CLASSES);
  }

  @Test
  void threads_always_areMadeNowhere() {
    HouseRules.makesThreadsOnlyIn().check(CLASSES);
  }

  @Test
  void names_always_sayWhatAClassDoes() {
    HouseRules.namesSayWhat().check(CLASSES);
  }
}
