// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.etcd;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameStartingWith;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.tenrec.metrics.HouseRules;
import dev.tenrec.metrics.Knots;
import org.junit.jupiter.api.Test;

/** What of Tenrec this module may name, and what it leaves to others. */
class ArchitectureTest {

  private static final JavaClasses CLASSES = HouseRules.mainClassesOf("dev.tenrec.fleet.etcd");

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
  void threads_always_areTheHeartsAndTheWatches() {
    HouseRules.makesThreadsOnlyIn("dev.tenrec.core.internal.isolation..")
        .check(CLASSES.that(not(simpleName("EtcdStore"))).that(not(simpleName("EtcdWatch"))));
  }

  @Test
  void httpClient_always_isNamedInOneClassOnly() {
    HouseRules.onlyIn("java.net.http..")
        .check(CLASSES.that(not(simpleNameStartingWith("EtcdGateway"))));
  }

  @Test
  void names_always_sayWhatAClassDoes() {
    HouseRules.namesSayWhat().check(CLASSES);
  }
}
