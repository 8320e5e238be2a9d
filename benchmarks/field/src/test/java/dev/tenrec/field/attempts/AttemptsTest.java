// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.attempts;

import static dev.tenrec.field.kit.JsonText.count;
import static dev.tenrec.field.kit.JsonText.object;
import static dev.tenrec.field.kit.JsonText.objects;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.field.kit.JsonText;
import dev.tenrec.field.kit.Program;
import dev.tenrec.field.kit.ProgramRun;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.metrics.PatientWaits;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.ParameterException;

/** The shapes by counts: of the short forms, on a machine that may have something else to do. */
class AttemptsTest {

  @TempDir Path directory;

  @Test
  void run_tail_aHedgeIsWhatMostCallsDoNotWaitForASlowAttemptBy() throws Exception {
    String shown = ProgramRun.little(new Attempts(), directory, "--tail").shown();

    assertThat(shown).contains("2 of 2 runs; in each", "no measurement", "for each call");
    List<Map<String, Object>> runs = objects(report(), "tails");
    Map<String, Object> without = runs.get(0);
    Map<String, Object> with = runs.get(1);
    assertThat(count(without, "firstSlow")).isPositive();
    assertThat(count(without, "slowAnswers")).isEqualTo(count(without, "firstSlow"));
    assertThat(count(without, "hedges")).isZero();
    assertThat(count(with, "hedges")).isPositive();
    assertThat(count(with, "attempts"))
        .isEqualTo(count(object(with.get("driver")), "sent") + count(with, "hedges"))
        .isLessThanOrEqualTo(count(with, "mostByTheBudget"));
    // a call with a slow answer had no hedge, or a slow one
    assertThat(count(with, "slowAnswers"))
        .isLessThanOrEqualTo(count(with, "refused") + count(with, "allSlow"));
    assertNoChildIsLeft();
  }

  @Test
  void run_chain_onlyWithDeadlinesIsWorkEndedThatNobodyWaitsFor() throws Exception {
    String shown = ProgramRun.little(new Attempts(), directory, "--chain").shown();

    assertThat(shown).contains("2 of 2 runs; in each", "after nobody waited");
    List<Map<String, Object>> runs = objects(report(), "chains");
    Map<String, Object> without = runs.get(0);
    Map<String, Object> with = runs.get(1);
    assertThat(count(without, "afterNobodyWaited")).as(shown).isGreaterThan(10);
    // how much is begun in spite of them is a matter of the machine: see AttemptsShapeTest
    assertThat(notInTime(with)).as(shown).anyMatch(count -> count > 0);
    assertThat(notInTime(without)).containsOnly(0L);
  }

  private static List<Long> notInTime(Map<String, Object> run) {
    return objects(run, "services").stream().map(service -> count(service, "notInTime")).toList();
  }

  @Test
  void run_wrongArguments_saysWhatWasExpected() {
    assertThatThrownBy(
            () ->
                Program.run(
                    new Attempts(), List.of("--tail", "--chain"), Stop.onDemand(), System.out))
        .isInstanceOf(ParameterException.class)
        .hasMessage("--tail and --chain were given, expected one of them at most");
  }

  private Map<String, Object> report() throws Exception {
    Map<String, Object> report = JsonText.read(directory.resolve("attempts.json"));
    assertThat(report).containsEntry("accountingHolds", true).containsEntry("complete", true);
    return report;
  }

  private static void assertNoChildIsLeft() {
    Awaitility.await()
        .atMost(PatientWaits.patience())
        .untilAsserted(
            () ->
                assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive))
                    .isEmpty());
  }
}
