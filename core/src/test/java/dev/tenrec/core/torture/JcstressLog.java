// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What a run of jcstress says, without what the tested code logged. A failure's message has to stay
 * short: one of hundreds of megabytes does not get through to the build, which then sees no test
 * and no failure.
 */
final class JcstressLog {

  /** Some failures with their tables of results. */
  static final int MOST_LINES = 200;

  private final List<String> failures = new ArrayList<>();
  private final List<String> verdicts = new ArrayList<>();
  private final Set<String> passed = new TreeSet<>();
  private boolean atFailure;

  private JcstressLog() {}

  /** Reads it line by line: it may be larger than the heap. */
  static JcstressLog of(Path file) throws IOException {
    JcstressLog log = new JcstressLog();
    try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
      lines.forEach(log::read);
    }
    return log;
  }

  private void read(String line) {
    if (line.startsWith("..")) { // the dots before a test's result
      atFailure = !line.contains("[OK]");
      if (!atFailure) {
        passed.add(line.substring(line.indexOf("[OK]") + "[OK]".length()).strip());
      }
    }
    if (line.contains(" tests: ")) {
      verdicts.add(line.strip());
      atFailure = false;
    }
    if (atFailure && !line.isBlank() && !line.contains(" WARN ") && failures.size() < MOST_LINES) {
      failures.add(line);
    }
  }

  /** The results that are not good, with their tables; the first of them. */
  List<String> failures() {
    return failures;
  }

  /** Its summary: which tests failed, and which could not be run. */
  List<String> verdicts() {
    return verdicts;
  }

  /** The tests that have good results, each once, however often it ran. */
  Set<String> passed() {
    return passed;
  }
}
