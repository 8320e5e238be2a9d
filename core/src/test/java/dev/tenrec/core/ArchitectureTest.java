// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.tenrec.metrics.HouseRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The arrows: the top, then execution, then the mechanisms, then outcome and work. */
class ArchitectureTest {

  private static final String CORE = "dev.tenrec.core";
  private static final String OUTCOME = CORE + ".outcome..";
  private static final String WORK = CORE + ".work..";
  private static final String SIZING = CORE + ".sizing..";
  private static final JavaClasses CLASSES = HouseRules.mainClassesOf(CORE);

  @Test
  void packages_always_areFreeOfCycles() {
    HouseRules.packagesAreFreeOfCycles().check(CLASSES);
  }

  @Test
  void top_always_isKnownToNobodyBelow() {
    HouseRules.arrow(
            resideInAPackage(CORE + ".*.."),
            resideInAPackage(CORE),
            "what a user types stands on everything else")
        .check(CLASSES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"breaker", "isolation", "timeout", "fallback", "cache", "context", "config"})
  void mechanism_always_knowsOutcomeAndWorkOnly(String mechanism) {
    String self = CORE + "." + mechanism + "..";
    HouseRules.arrow(
            resideInAPackage(self),
            resideInAPackage(CORE + "..").and(resideOutsideOfPackages(self, OUTCOME, WORK)),
            "a mechanism is tested alone")
        .check(CLASSES);
  }

  @Test
  void collapser_always_knowsTheTimerBesides() {
    HouseRules.arrow(
            resideInAPackage(CORE + ".collapser.."),
            resideInAPackage(CORE + "..")
                .and(
                    resideOutsideOfPackages(
                        CORE + ".collapser..",
                        CORE + ".timeout..",
                        CORE + ".callback..",
                        OUTCOME,
                        WORK)),
            "a batch is the timer's node, a member its own delivery; else a mechanism as all are")
        .check(CLASSES);
  }

  @Test
  void callback_always_knowsTheTimerBesides() {
    HouseRules.arrow(
            resideInAPackage(CORE + ".callback.."),
            resideInAPackage(CORE + "..")
                .and(
                    resideOutsideOfPackages(
                        CORE + ".callback..", CORE + ".timeout..", OUTCOME, WORK)),
            "the timer tries again what found no thread; otherwise it is a mechanism as all are")
        .check(CLASSES);
  }

  @Test
  void sampling_always_knowsTheTimerAndTheCallbackThreadsBesides() {
    HouseRules.arrow(
            resideInAPackage(CORE + ".sampling.."),
            resideInAPackage(CORE + "..")
                .and(
                    resideOutsideOfPackages(
                        CORE + ".sampling..",
                        CORE + ".timeout..",
                        CORE + ".callback..",
                        OUTCOME,
                        WORK)),
            "its rhythm is the timer's, its listeners are notified on callback threads, and"
                + " otherwise it is a mechanism as all are")
        .check(CLASSES);
  }

  @Test
  void breaker_always_knowsHealthAndTimeOfMetricsOnly() {
    HouseRules.arrow(
            resideInAPackage(CORE + ".breaker.."),
            resideInAPackage("dev.tenrec.metrics..")
                .and(
                    resideOutsideOfPackages(
                        "dev.tenrec.metrics.health..", "dev.tenrec.metrics.time..")),
            "the breaker asks for health and is told the time")
        .check(CLASSES);
  }

  @Test
  void listener_always_knowsWhatItIsToldOfOnly() {
    HouseRules.arrow(
            resideInAPackage(CORE + ".listener.."),
            resideInAPackage(CORE + "..")
                .and(
                    resideOutsideOfPackages(
                        CORE + ".listener..", CORE + ".breaker..", CORE + ".config..", OUTCOME)),
            "listeners are told, they do not ask: of transitions and settings, too")
        .check(CLASSES);
  }

  @ParameterizedTest
  @ValueSource(strings = {OUTCOME, WORK, SIZING})
  void leaf_always_knowsNothingOfCore(String leaf) {
    HouseRules.arrow(
            resideInAnyPackage(leaf),
            resideInAPackage(CORE + "..").and(resideOutsideOfPackages(leaf)),
            "every package may name it")
        .check(CLASSES);
  }

  @Test
  void archaius_always_isNamedInConfigOnly() {
    HouseRules.onlyIn("com.netflix..", CORE + ".config..").check(CLASSES);
  }

  @Test
  void rx_always_isNamedAtTheDoorsOnly() {
    HouseRules.onlyIn("io.reactivex..", CORE).check(CLASSES);
  }

  @Test
  void reactiveStreams_always_areNamedWhereStreamsPass() {
    // the types are the JVM's common ones, which a user's work returns whatever made its stream; so
    // they go down to where Rx may not
    HouseRules.onlyIn("org.reactivestreams..", CORE, WORK, CORE + ".execution..").check(CLASSES);
  }

  @Test
  void hdrHistogram_always_isUnknown() {
    HouseRules.onlyIn("org.HdrHistogram..").check(CLASSES);
  }

  @Test
  void clock_always_isReadInMetricsOnly() {
    HouseRules.readsTimeOnlyIn("dev.tenrec.metrics.time..").check(CLASSES);
  }

  @Test
  void threads_always_areMadeInIsolationOnly() {
    // the callbacks run on the JDK's pool, with threads of isolation's factory: nobody's permits
    // depend on it
    HouseRules.makesThreadsOnlyIn(CORE + ".isolation..")
        .check(CLASSES.that(not(simpleName("CallbackExecutor"))));
  }

  @Test
  void names_always_sayWhatAClassDoes() {
    HouseRules.namesSayWhat().check(CLASSES);
  }
}
