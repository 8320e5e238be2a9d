// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The sources of the tests of all modules: what pages name has to be there. */
public final class TestSources {

  private static final Pattern TEST =
      Pattern.compile(
          "@(?:Test|ParameterizedTest|RepeatedTest|TestFactory)\\b[^;{}]*?"
              + "(?:\\{[^{}]*\\}[^;{}]*?)*?void (\\w+)\\(");
  private static final Pattern CLASS = Pattern.compile("\\bclass (\\w+)");
  private static final Pattern TYPE = Pattern.compile("\\b(?:class|record|enum|interface) (\\w+)");

  private TestSources() {}

  /** The project's root, seen from where tests of a module run. */
  public static Path root() {
    return Files.isDirectory(Path.of("docs")) ? Path.of("") : Path.of("..");
  }

  /** Of all classes whose names end in {@code Test} or {@code Stress}, by their simple names. */
  public static Map<String, String> byName() throws IOException {
    Map<String, String> all = new HashMap<>();
    try (Stream<Path> modules = Files.list(root().toAbsolutePath().normalize())) {
      for (Path tests :
          modules
              .map(module -> module.resolve("src/test/java"))
              .filter(Files::isDirectory)
              .toList()) {
        try (Stream<Path> files = Files.walk(tests)) {
          for (Path file : files.filter(TestSources::isOfTests).toList()) {
            String name = file.getFileName().toString().replace(".java", "");
            all.merge(name, Files.readString(file), String::concat);
          }
        }
      }
    }
    return all;
  }

  /** Of all classes of these modules that are no tests, by their simple names. */
  public static Map<String, String> ofMainByName(String... modules) throws IOException {
    Map<String, String> all = new HashMap<>();
    for (String module : modules) {
      try (Stream<Path> files = Files.walk(root().resolve(module).resolve("src/main/java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          String source = Files.readString(file);
          TYPE.matcher(source)
              .results()
              .forEach(found -> all.merge(found.group(1), source, String::concat));
        }
      }
    }
    return all;
  }

  private static boolean isOfTests(Path file) {
    return file.toString().endsWith("Test.java") || file.toString().endsWith("Stress.java");
  }

  /**
   * What stands directly before the methods or classes of a source that have this name: their
   * annotations, and their Javadoc.
   */
  public static String before(String source, String name) {
    Pattern declared =
        Pattern.compile("(?m)^ *(?:\\w+ )*class " + name + "\\b|\\bvoid " + name + "\\(");
    return declared
        .matcher(source)
        .results()
        .map(found -> source.substring(afterBlankLine(source, found.start()), found.start()))
        .collect(Collectors.joining("\n"));
  }

  private static int afterBlankLine(String source, int end) {
    return Math.max(0, source.lastIndexOf("\n\n", end));
  }

  /** The test methods of a source, which have an annotation of a test; and classes in it. */
  public static List<String> testsIn(String source) {
    return Stream.concat(
            TEST.matcher(source).results().map(found -> found.group(1)),
            CLASS.matcher(source).results().map(found -> found.group(1)))
        .toList();
  }
}
