// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.openjdk.jcstress.annotations.Actor;

/**
 * The tests that the processor of jcstress has listed at compilation. A test with more actors than
 * there are processors is not run, and jcstress does not say so; {@link JcstressTest} does.
 */
final class JcstressList {

  /** A line begins with the test's name and that of its class, each after its length. */
  private static final Pattern TEST =
      Pattern.compile("^JCTEST\\d+S(\\D[\\w.]*?)\\d+S([\\w.$]+?)\\d+S");

  private JcstressList() {}

  /** The names of those with at most so many actors. */
  static Set<String> runnable(Path list, int processors) throws IOException {
    return read(list, actors -> actors <= processors);
  }

  /** The names of those with more actors. */
  static Set<String> leftOut(Path list, int processors) throws IOException {
    return read(list, actors -> actors > processors);
  }

  private static Set<String> read(Path list, LongPredicate chosen) throws IOException {
    Set<String> tests = new TreeSet<>();
    for (String line : Files.readAllLines(list, StandardCharsets.ISO_8859_1)) {
      Matcher test = TEST.matcher(line);
      if (!test.find()) {
        throw new IOException("not a test of jcstress: " + line);
      }
      if (chosen.test(actors(test.group(2)))) {
        tests.add(test.group(1));
      }
    }
    return tests;
  }

  private static long actors(String type) throws IOException {
    try {
      return Arrays.stream(
              Class.forName(type, false, JcstressList.class.getClassLoader()).getDeclaredMethods())
          .filter(method -> method.isAnnotationPresent(Actor.class))
          .count();
    } catch (ClassNotFoundException e) {
      throw new IOException("listed, and not there: " + type, e);
    }
  }
}
