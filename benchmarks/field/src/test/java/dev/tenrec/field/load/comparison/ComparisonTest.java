// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.comparison;

import static dev.tenrec.field.kit.JsonText.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.field.kit.JsonText;
import dev.tenrec.field.kit.LineWatch;
import dev.tenrec.field.kit.ProgramRun;
import dev.tenrec.field.load.engine.Engines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The short form, in JVMs of its own. */
class ComparisonTest {

  @TempDir Path directory;

  @Test
  void run_short_accountsForEveryCall() throws Exception {
    String shown = ProgramRun.little(new Comparison(), directory).shown();

    // one that needs a newer JDK did not run, and does not count as if it had
    boolean all = Engines.VIRTUAL.isSupported();
    assertThat(shown).contains((all ? "10" : "8") + " of 10 runs; in each", "Closed model");
    assertThat(shown.contains("2 did not run: needs JDK 21 or later")).isEqualTo(!all);
    Map<String, Object> report = report();
    assertThat(report).containsEntry("accountingHolds", true).containsEntry("planned", 10L);
    // the original's loads are not among these, so that there is no ratio to show
    assertThat(shown).doesNotContain("this run");
    assertThat((List<?>) report.get("ratios")).hasSize(8);
    for (Map<String, Object> run : runs(report)) {
      if (run.get("engine").equals("virtual") && !Engines.VIRTUAL.isSupported()) {
        assertThat((String) run.get("remark")).startsWith("needs JDK 21 or later");
        continue;
      }
      double sent = number(run, "sent");
      if (number(run, "requests") > 0) {
        assertThat(sent).as("%s", run).isEqualTo(number(run, "requests"));
        assertThat(run).containsEntry("usersThereSaid", "exempt: a user makes one call");
      } else {
        assertThat(number(run, "windowSeconds")).as("%s", run).isPositive();
        assertThat(number(run, "usersThere")).as("%s", run).isPositive();
      }
      assertThat(number(run, "answered") + number(run, "failed") + number(run, "refused"))
          .as("%s", run)
          .isEqualTo(sent);
      assertThat(number(run, "failed")).as("%s", run).isZero();
      assertThat(number(run, "serviceReceived")).as("%s", run).isEqualTo(number(run, "answered"));
      if (run.get("engine").equals("pool")) {
        assertThat(number(run, "mostInFlight")).isLessThanOrEqualTo(Cell.THREADS);
      }
      if ((Long) run.get("permits") > 0) {
        assertThat(number(run, "command.SEMAPHORE_REJECTED"))
            .isPositive()
            .isEqualTo(number(run, "refused"));
        assertThat(number(run, "command.SUCCESS")).isEqualTo(number(run, "answered"));
      }
    }
    assertThat(directory.resolve("system5-100ms-sinceIntended.svg")).content().contains("polyline");
  }

  @Test
  void main_interrupted_reportsTheResultsSoFar() throws Exception {
    // the full form, which would take many minutes
    List<String> lines =
        ProgramRun.interrupted(
                Comparison.class,
                List.of("--directory", directory.toString()),
                line -> line.startsWith("| 512 | 0 | thread | 100 |"),
                process -> List.of())
            .lines();

    // how many it had begun by then is a matter of how fast this reads the first row
    List<String> rows = lines.stream().filter(line -> line.matches("\\| \\d+ \\|.*")).toList();
    long ran = rows.stream().filter(line -> !line.contains("stopped before it began")).count();
    assertThat(rows).hasSizeBetween(1, 20);
    assertThat(ran).isPositive();
    assertThat(lines).anyMatch(line -> line.matches(ran + " of 82 runs; in each.*agree\\."));
    assertThat(report()).containsEntry("accountingHolds", true).containsEntry("complete", false);
    assertThat(runs(report())).hasSameSizeAs(rows);
  }

  @Test
  void run_whoseServiceDies_reportsTheResultsSoFar() throws Exception {
    LineWatch watch = LineWatch.killingAt("\n| 128 | ");

    assertThatThrownBy(() -> ProgramRun.little(new Comparison(), watch, directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the service ended with exit code 137");
    assertThat(watch.shown())
        .contains("1 of 10 runs; in each", "Incomplete: the service ended with exit code 137");
    assertThat(runs(report())).hasSize(1);
    assertThat(report()).containsEntry("complete", false);
  }

  @Test
  void run_onABusyPort_doesNotStart() throws Exception {
    ProgramRun.onABusyPort(new Comparison(), directory, "service");
  }

  private Map<String, Object> report() throws Exception {
    return JsonText.read(directory.resolve("system5.json"));
  }

  private static List<Map<String, Object>> runs(Map<String, Object> report) {
    return JsonText.objects(report, "runs");
  }
}
