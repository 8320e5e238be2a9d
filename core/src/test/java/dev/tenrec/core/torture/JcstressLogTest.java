// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A forbidden outcome is found among whatever else was logged, and its message stays short. */
class JcstressLogTest {

  private static final List<String> RESULTS =
      List.of(
          "----- [OK] Checking for C2 availability",
          ".......... [OK] dev.tenrec.AStress.Good",
          "  RESULT  SAMPLES     FREQ      EXPECT  DESCRIPTION",
          "    1, 1  376,851  100.00%  Acceptable  both",
          "...... [FAILED] dev.tenrec.AStress.Bad",
          "",
          "  RESULT  SAMPLES     FREQ      EXPECT  DESCRIPTION",
          "    2, 2   87,172   22.52%   Forbidden  two endings",
          ".......... [OK] dev.tenrec.AStress.AlsoGood",
          "  Failed tests: 1 matching test results.",
          "  Error tests: No matches.",
          "  All remaining tests: 2 matching test results.");

  @TempDir private Path directory;

  private JcstressLog read(List<String> lines) throws IOException {
    return JcstressLog.of(Files.write(directory.resolve("log.txt"), lines));
  }

  @Test
  void failures_ofARun_areThoseResultsOnly() throws IOException {
    JcstressLog log = read(RESULTS);
    assertThat(log.failures()).containsExactly(RESULTS.get(4), RESULTS.get(6), RESULTS.get(7));
    assertThat(log.passed())
        .as("not the start-up line")
        .containsExactly("dev.tenrec.AStress.AlsoGood", "dev.tenrec.AStress.Good");
    assertThat(log.verdicts())
        .contains("Failed tests: 1 matching test results.", "Error tests: No matches.");
  }

  @Test
  void failures_amongManyLines_staySmall() throws IOException {
    List<String> lines = new ArrayList<>(RESULTS.subList(0, 5));
    lines.addAll(Collections.nCopies(10_000, "[main] WARN dev.tenrec.Some - a warning"));
    lines.addAll(RESULTS.subList(5, 8));
    lines.addAll(Collections.nCopies(10_000, "[main] ERROR dev.tenrec.Some - an error"));
    JcstressLog log = read(lines);
    assertThat(log.failures()).contains(RESULTS.get(7)).hasSize(JcstressLog.MOST_LINES);
  }
}
