// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
  private int passed;
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
      passed += atFailure ? 0 : 1;
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

  /** How many results were good. */
  int passed() {
    return passed;
  }
}
