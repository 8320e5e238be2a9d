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
import java.util.regex.Pattern;

/**
 * What holds in every module. A rule fails if it is about no class, or names a package of Tenrec
 * that does not exist: else it would hold after a package was renamed, whatever stands there.
 */
public final class HouseRules {

  private static final Pattern OURS = Pattern.compile("dev\\.tenrec(\\.[a-z0-9]+)*");

  private HouseRules() {}

  /** The classes of one module, without its tests. */
  public static JavaClasses mainClassesOf(String rootPackage) {
    return new ClassFileImporter()
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
        .importPackages(rootPackage);
  }

  /** No package reaches itself through others; {@code a.b} and {@code a.b.c} are two packages. */
  public static ArchRule packagesAreFreeOfCycles() {
    return slices().matching("dev.tenrec.(**)").should().beFreeOfCycles();
  }

  /**
   * Only the allowed packages may name {@code library}, which need not be on the class path: it may
   * be one that the module must never have.
   */
  public static ArchRule onlyIn(String library, String... allowed) {
    requirePackages(String.join(" ", allowed));
    return noClasses()
        .that(resideOutsideOfPackages(allowed))
        .should()
        .dependOnClassesThat(resideInAPackage(library))
        .because(library + " stays behind one door");
  }

  /**
   * As {@link #onlyIn}, for packages of ours, which have to exist: a rule must not pass because
   * they have other names by now.
   */
  public static ArchRule oursOnlyIn(String ours, String... allowed) {
    requirePackages(ours);
    return onlyIn(ours, allowed);
  }

  /** Time is a parameter: only the allowed packages read a clock or wait. */
  public static ArchRule readsTimeOnlyIn(String... allowed) {
    requirePackages(String.join(" ", allowed));
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
        .because("a test kit in virtual time stands on Ticker and Waiter");
  }

  /** Only the allowed packages make threads or what has threads. */
  public static ArchRule makesThreadsOnlyIn(String... allowed) {
    requirePackages(String.join(" ", allowed));
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
                + ThreadFactory.class.getSimpleName());
  }

  /** Classes are named for what they do. */
  public static ArchRule namesSayWhat() {
    return noClasses().should().haveNameMatching(".*(Impl|Helper|Manager|Utils?)");
  }

  /** Classes of {@code from} name none of the classes {@code forbidden}. */
  public static ArchRule arrow(
      DescribedPredicate<JavaClass> from, DescribedPredicate<JavaClass> forbidden, String reason) {
    requirePackages(from.getDescription() + " " + forbidden.getDescription());
    return noClasses().that(from).should().dependOnClassesThat(forbidden).because(reason);
  }

  /**
   * Each package of Tenrec that a rule names has to be on the class path, up to the pattern in it.
   *
   * @param words which name them, such as a predicate's description
   */
  private static void requirePackages(String words) {
    OURS.matcher(words)
        .results()
        .map(found -> found.group().replace('.', '/'))
        .filter(path -> HouseRules.class.getClassLoader().getResource(path) == null)
        .filter(
            path ->
                HouseRules.class.getClassLoader().getResource(path + "/package-info.class") == null)
        .findFirst()
        .ifPresent(
            path -> {
              throw new IllegalArgumentException(
                  "a rule names the package "
                      + path.replace('/', '.')
                      + ", which does not exist: "
                      + words);
            });
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
