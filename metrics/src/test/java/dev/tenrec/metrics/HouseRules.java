// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Timer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/**
 * What holds in every module. A rule about a package without classes holds as well, so that rules
 * may be written before the code.
 */
public final class HouseRules {

  private HouseRules() {}

  /** The classes of one module, without its tests. */
  public static JavaClasses mainClassesOf(String rootPackage) {
    return new ClassFileImporter()
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
        .importPackages(rootPackage);
  }

  /** No package reaches itself through others; {@code a.b} and {@code a.b.c} are two packages. */
  public static ArchRule packagesAreFreeOfCycles() {
    return slices().matching("dev.tenrec.(**)").should().beFreeOfCycles().allowEmptyShould(true);
  }

  /** Only the allowed packages may name {@code library}. */
  public static ArchRule onlyIn(String library, String... allowed) {
    return noClasses()
        .that(resideOutsideOfPackages(allowed))
        .should()
        .dependOnClassesThat(resideInAPackage(library))
        .because(library + " stays behind one door")
        .allowEmptyShould(true);
  }

  /** Time is a parameter: only the allowed packages read a clock or wait. */
  public static ArchRule readsTimeOnlyIn(String... allowed) {
    return noClasses()
        .that(resideOutsideOfPackages(allowed))
        .should()
        .accessTargetWhere(access("java.lang.System", "nanoTime|currentTimeMillis"))
        .orShould()
        .accessTargetWhere(access("java.lang.Thread", "sleep"))
        .orShould()
        .accessTargetWhere(access("java.util.concurrent.TimeUnit", "sleep"))
        .orShould()
        .accessTargetWhere(access("java.util.concurrent.locks.LockSupport", "park.*"))
        .orShould()
        .accessTargetWhere(
            access("java.time.(Instant|Clock|LocalDateTime|ZonedDateTime)", "now|system.*"))
        .because("a test kit in virtual time stands on Ticker and Waiter")
        .allowEmptyShould(true);
  }

  /** Only the allowed packages make threads or what has threads. */
  public static ArchRule makesThreadsOnlyIn(String... allowed) {
    return noClasses()
        .that(resideOutsideOfPackages(allowed))
        .should()
        .accessTargetWhere(constructorOf(Thread.class))
        .orShould()
        .accessTargetWhere(constructorOf(ExecutorService.class))
        .orShould()
        .accessTargetWhere(constructorOf(Timer.class))
        .orShould()
        .dependOnClassesThat(assignableTo(Executors.class))
        .because(
            "threads come from one factory; others are given a "
                + ThreadFactory.class.getSimpleName())
        .allowEmptyShould(true);
  }

  /** Classes are named for what they do. */
  public static ArchRule namesSayWhat() {
    return noClasses()
        .should()
        .haveNameMatching(".*(Impl|Helper|Manager|Utils?)")
        .allowEmptyShould(true);
  }

  /** Classes of {@code from} name none of the classes {@code forbidden}. */
  public static ArchRule arrow(
      DescribedPredicate<JavaClass> from, DescribedPredicate<JavaClass> forbidden, String reason) {
    return noClasses()
        .that(from)
        .should()
        .dependOnClassesThat(forbidden)
        .because(reason)
        .allowEmptyShould(true);
  }

  private static DescribedPredicate<JavaAccess<?>> access(String owner, String member) {
    return targetOf(nameMatching(owner), nameMatching(member)).as("%s.%s", owner, member);
  }

  private static DescribedPredicate<JavaAccess<?>> constructorOf(Class<?> type) {
    return targetOf(assignableTo(type), name("<init>")).as("new %s", type.getSimpleName());
  }

  private static DescribedPredicate<JavaAccess<?>> targetOf(
      DescribedPredicate<? super JavaClass> owner,
      DescribedPredicate<? super AccessTarget> member) {
    return DescribedPredicate.describe(
        "target", access -> owner.test(access.getTargetOwner()) && member.test(access.getTarget()));
  }
}
