// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.tenrec.hystrix.exception.HystrixRuntimeException;
import dev.tenrec.hystrix.strategy.HystrixPlugins;
import dev.tenrec.hystrix.strategy.eventnotifier.HystrixEventNotifier;
import dev.tenrec.hystrix.strategy.executionhook.HystrixCommandExecutionHook;
import dev.tenrec.metrics.HouseRules;
import dev.tenrec.metrics.Knots;
import org.junit.jupiter.api.Test;

/** The arrows: commands stand on requests, settings, counters and exceptions. */
class ArchitectureTest {

  private static final String ROOT = "dev.tenrec.hystrix";
  private static final JavaClasses CLASSES = HouseRules.mainClassesOf(ROOT);

  /** But for what Hystrix's exception, hook, notifier and publisher name in their signatures. */
  @Test
  void packages_always_areFreeOfCycles() {
    slices()
        .matching("dev.tenrec.(**)")
        .should()
        .beFreeOfCycles()
        .ignoreDependency(HystrixRuntimeException.class, HystrixInvokable.class)
        .ignoreDependency(
            assignableTo(HystrixCommandExecutionHook.class), assignableTo(HystrixInvokable.class))
        .ignoreDependency(assignableTo(HystrixEventNotifier.class), resideInAPackage(ROOT))
        .ignoreDependency(resideInAPackage(ROOT + ".strategy.metrics"), resideInAPackage(ROOT))
        .ignoreDependency(
            resideInAPackage(ROOT + ".strategy.concurrency"), equivalentTo(HystrixPlugins.class))
        .check(CLASSES);
  }

  /**
   * Hystrix's commands, hooks, metrics and plugins name each other; what holds them is with them.
   */
  @Test
  void commands_always_areInNoLargerKnot() {
    assertThat(Knots.around(CLASSES, HystrixCommand.class)).hasSizeLessThan(40);
  }

  /** Hystrix has the request that a batch answers nested in the collapser that makes the batch. */
  @Test
  void collapser_always_isInAKnotWithItsBatchOnly() {
    assertThat(Knots.around(CLASSES, HystrixCollapser.class))
        .containsExactlyInAnyOrder(
            HystrixCollapser.class.getName(),
            CollapserBatch.class.getName(),
            CollapserRequest.class.getName(),
            Shard.class.getName());
  }

  @Test
  void engine_always_isUsedByWhatItsUsersMayUse() {
    HouseRules.arrow(
            resideInAPackage(ROOT + ".."),
            resideInAnyPackage("dev.tenrec.core.internal..", "dev.tenrec.metrics.internal.."),
            "if a module needs more than public types, core lacks a seam")
        .check(CLASSES);
  }

  @Test
  void requests_always_knowNoCommand() {
    HouseRules.arrow(
            resideInAnyPackage(ROOT + ".strategy.concurrency", ROOT + ".strategy.properties"),
            resideInAPackage(ROOT),
            "a request is below")
        .check(CLASSES);
  }

  @Test
  void archaius_always_isNamedInItsPackageOnly() {
    HouseRules.onlyIn("com.netflix..", ROOT + ".archaius..").check(CLASSES);
    HouseRules.onlyIn("org.apache.commons..", ROOT + ".archaius..").check(CLASSES);
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
