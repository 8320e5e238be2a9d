// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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

  /**
   * Of all classes whose names end in {@code Test} or {@code Stress}, by the names that documents
   * may use: the simple name, or that after the end of its package, such as {@code
   * request.RequestCacheTest}. A name that several classes have means the one of core. If that has
   * none or several of the name, it is not here, and has to be written with more of its package.
   */
  public static Map<String, String> byName() throws IOException {
    Map<String, List<Path>> files = new HashMap<>();
    Path root = root().toAbsolutePath().normalize();
    try (Stream<Path> modules = Files.list(root)) {
      for (Path tests :
          modules
              .map(module -> module.resolve("src/test/java"))
              .filter(Files::isDirectory)
              .toList()) {
        try (Stream<Path> all = Files.walk(tests)) {
          all.filter(TestSources::isOfTests)
              .forEach(
                  file ->
                      names(tests.relativize(file))
                          .forEach(
                              name ->
                                  files.computeIfAbsent(name, n -> new ArrayList<>()).add(file)));
        }
      }
    }
    Map<String, String> sources = new HashMap<>();
    for (Map.Entry<String, List<Path>> named : files.entrySet()) {
      Path meant = meant(named.getValue(), root.resolve("core"));
      if (meant != null) {
        sources.put(named.getKey(), Files.readString(meant));
      }
    }
    return sources;
  }

  /** Of one that several have, that of core; null if core has none or several. */
  private static @Nullable Path meant(List<Path> files, Path core) {
    List<Path> ofCore = files.stream().filter(file -> file.startsWith(core)).toList();
    List<Path> candidates = files.size() == 1 ? files : ofCore;
    return candidates.size() == 1 ? candidates.get(0) : null;
  }

  /** Its simple name, and that with more and more of its package before it. */
  private static List<String> names(Path file) {
    List<String> names = new ArrayList<>();
    String name = file.getFileName().toString().replace(".java", "");
    names.add(name);
    for (int i = file.getNameCount() - 2; i >= 0; i--) {
      name = file.getName(i) + "." + name;
      names.add(name);
    }
    return names;
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

  /** A class as {@link #byName} has it, without its package. */
  public static String simpleName(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
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
