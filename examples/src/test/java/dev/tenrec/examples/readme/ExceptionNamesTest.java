// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.readme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.config.InvalidSettingException;
import dev.tenrec.core.outcome.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Java on a page has no imports, so an exception there is read as one of Tenrec's or of java.lang.
 * One that is neither would be imported from elsewhere, as {@code TimeoutException} of the JDK, and
 * compile, and never be thrown.
 */
class ExceptionNamesTest {

  private static final Pattern JAVA =
      Pattern.compile("```(?:java|kotlin)\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern NAME =
      Pattern.compile("(?<![\\w.])([A-Z]\\w*(?:Exception|Error))\\b(?!\\()");
  private static final Pattern SAID = Pattern.compile("`([A-Z]\\w*(?:Exception|Error))`");

  /**
   * What prose names of others, and says so: the JDK's and Kotlin's by their meaning, Spring's and
   * Jakarta's by what is said around them, Hystrix's by their name.
   */
  private static final Set<String> OF_OTHERS =
      Set.of(
          "CancellationException",
          "ExecutionException",
          "TimeoutCancellationException",
          "RejectedExecutionException",
          "AccessDeniedException",
          "AuthenticationException",
          "ConstraintViolationException",
          "MethodValidationException",
          "NoFallbackAvailableException");

  /** Of modules that this one does not depend on. */
  private static final Path ANNOTATIONS =
      Pages.ROOT.resolve("contrib-annotations/src/main/java/dev/tenrec/annotations");

  private static final Path FLEETS =
      Pages.ROOT.resolve("contrib-fleet/src/main/java/dev/tenrec/fleet/store");

  private static boolean isKnown(String name) {
    if (Stream.of(ANNOTATIONS, FLEETS).anyMatch(in -> Files.exists(in.resolve(name + ".java")))) {
      return true;
    }
    return Stream.of(
            "java.lang",
            "java.io",
            CommandException.class.getPackageName(),
            InvalidSettingException.class.getPackageName())
        .anyMatch(
            in -> {
              try {
                return Throwable.class.isAssignableFrom(Class.forName(in + "." + name));
              } catch (ClassNotFoundException elsewhere) {
                return false;
              }
            });
  }

  @Test
  void exceptionsInJava_onEveryPage_areTenrecsOrJavaLangs() throws IOException {
    TreeMap<String, Set<String>> unknown = new TreeMap<>();
    int blocks = 0;
    for (Path page : Pages.all()) {
      Matcher java = JAVA.matcher(Files.readString(page));
      while (java.find()) {
        blocks++;
        note(NAME.matcher(java.group(1)), page, unknown);
      }
    }
    assertThat(blocks).isGreaterThan(20);
    assertThat(Pages.all()).anyMatch(page -> page.endsWith("examples/README.md"));
    assertThat(unknown).isEmpty();
  }

  @Test
  void exceptionsInProse_onEveryPage_areThereToBeThrown() throws IOException {
    TreeMap<String, Set<String>> unknown = new TreeMap<>();
    for (Path page : Pages.all()) {
      if (page.endsWith("migration-resilience4j.md")) {
        continue; // compares with another library's
      }
      note(SAID.matcher(Files.readString(page)), page, unknown);
    }
    unknown.keySet().removeAll(OF_OTHERS);
    unknown.keySet().removeIf(name -> name.startsWith("Hystrix"));
    assertThat(unknown).isEmpty();
  }

  private static void note(Matcher name, Path page, TreeMap<String, Set<String>> unknown) {
    while (name.find()) {
      if (!isKnown(name.group(1))) {
        unknown.computeIfAbsent(name.group(1), absent -> new TreeSet<>()).add(page.toString());
      }
    }
  }
}
