// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import static dev.tenrec.field.kit.JsonText.count;
import static dev.tenrec.field.kit.JsonText.object;
import static dev.tenrec.field.kit.JsonText.objects;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.field.kit.JsonText;
import dev.tenrec.field.kit.LineWatch;
import dev.tenrec.field.kit.Program;
import dev.tenrec.field.kit.ProgramRun;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.metrics.PatientWaits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.ParameterException;

/** The short form, in JVMs of its own. */
class CollapseTest {

  @TempDir Path directory;

  @Test
  void run_short_accountsForEveryCallOnThreeSides() throws Exception {
    String shown = ProgramRun.little(new Collapse(), directory).shown();

    assertThat(shown).contains("3 of 3 runs; in each").contains("closed model", "open model");
    Map<String, Object> report = report();
    assertThat(report).containsEntry("accountingHolds", true).containsEntry("planned", 3L);
    assertThat(objects(report, "steady"))
        .hasSize(1)
        .allSatisfy(CollapseTest::balances)
        .allSatisfy(run -> assertThat(count(run, "answered")).isPositive());
    assertThat(shown).contains("injector lag p99 / max ms", "| this run |");
    assertThat(objects(report, "ratios"))
        .hasSize(15)
        .anySatisfy(row -> assertThat(row).containsEntry("measured", true))
        .anySatisfy(row -> assertThat(row).containsEntry("thisRun", "not measured"));
    List<Map<String, Object>> surges = objects(report, "surges");
    assertThat(surges).hasSize(2);
    for (Map<String, Object> run : surges) {
      accountsOnThreeSides(run);
    }
    assertThat(directory.resolve("system2-1kB-answered.svg")).content().contains("polyline");
    assertThat(directory.resolve("system2-100kB-queue.svg")).content().contains("polyline");
    assertNothingIsLeft();
  }

  private static void accountsOnThreeSides(Map<String, Object> run) {
    Map<String, Object> driver = object(run.get("withWarmUp"));
    balances(driver);
    assertThat(run).containsEntry("remark", "");
    long received = count(run, "c.received");
    long answered = count(run, "c.answered");
    assertThat(received)
        .isEqualTo(answered + count(run, "c.refused") + count(run, "c.failed"))
        .isBetween(count(driver, "answered"), count(driver, "sent"));
    assertThat(count(driver, "answered")).isLessThanOrEqualTo(answered);
    assertThat(count(run, "p.done"))
        .isEqualTo(count(run, "p.begun"))
        .isBetween(count(run, "c.succeeded"), count(run, "c.attempts"));
    if (run.get("guarded").equals(true)) {
      assertThat(count(run, "command.SUCCESS")).isEqualTo(answered);
      assertThat(
              count(run, "command.SUCCESS")
                  + count(run, "command.FAILURE")
                  + count(run, "command.TIMEOUT")
                  + count(run, "command.THREAD_POOL_REJECTED")
                  + count(run, "command.SHORT_CIRCUITED"))
          .isEqualTo(received);
    } else {
      assertThat(count(run, "c.succeeded")).isEqualTo(answered);
    }
  }

  private static void balances(Map<String, Object> driver) {
    assertThat(count(driver, "sent"))
        .isPositive()
        .isEqualTo(count(driver, "answered") + count(driver, "failed") + count(driver, "refused"));
    assertThat(count(driver, "due")).isEqualTo(count(driver, "sent") + count(driver, "neverSent"));
  }

  /** Neither a thread of the drivers, nor a process. */
  private static void assertNothingIsLeft() {
    Awaitility.await()
        .atMost(PatientWaits.patience())
        .untilAsserted(
            () -> {
              assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive))
                  .isEmpty();
              assertThat(Thread.getAllStackTraces().keySet())
                  .extracting(Thread::getName)
                  .noneMatch(
                      name -> name.startsWith("load-") || name.matches("(asking|listening-to)-.*"));
            });
  }

  @Test
  void main_interruptedInASurge_reportsTheResultsSoFar() throws Exception {
    ProgramRun run =
        ProgramRun.interrupted(
            Collapse.class,
            directory,
            "| 1 kB | 10 |",
            process -> {
              // those of the surge that begins now
              Awaitility.await()
                  .atMost(PatientWaits.patience())
                  .until(() -> process.children().count() >= 3);
              return process.children().toList();
            });

    assertThat(run.lines()).anyMatch(line -> line.matches("[1-3] of 3 runs; in each.*agree\\."));
    assertThat(report()).containsEntry("accountingHolds", true);
    assertThat(objects(report(), "steady")).hasSize(1);
    Awaitility.await()
        .atMost(PatientWaits.patience())
        .until(() -> run.children().stream().noneMatch(ProcessHandle::isAlive));
  }

  @Test
  void run_whoseConsumerDiesInASurge_reportsTheResultsSoFar() throws Exception {
    Trial trial =
        new Trial(Form.SHORT, 0, Stop.onDemand()) {
          @Override
          SurgeRun surge(Setup setup, double capacity) throws IOException {
            throw new IOException("the consumer ended with exit code 3");
          }
        };
    LineWatch watch = new LineWatch("nothing", () -> {});

    CollapseReport report =
        Collapse.run(Form.SHORT, Form.PAYLOADS, trial, Stop.onDemand(), watch.out());
    report.print(watch.out());

    assertThatThrownBy(() -> report.write(directory, watch.out()))
        .isInstanceOf(IOException.class)
        .hasMessage("the consumer ended with exit code 3");
    assertThat(watch.shown())
        .contains("1 of 3 runs; in each", "Incomplete: the consumer ended with exit code 3.");
    assertThat(objects(report(), "steady")).hasSize(1);
    assertThat(objects(report(), "surges")).isEmpty();
    assertThat(report())
        .containsEntry("complete", false)
        .containsEntry("brokenOffBecause", "the consumer ended with exit code 3");
    assertNothingIsLeft();
  }

  @Test
  void run_onABusyPort_doesNotStart() throws Exception {
    ProgramRun.onABusyPort(new Collapse(), directory, "provider");
  }

  @Test
  void run_clients_onlyWhatIsNotSharedUnlockedIsAnsweredInSequence() throws Exception {
    String shown = ProgramRun.little(new Collapse(), directory, "--clients").shown();

    Map<String, Object> report = JsonText.read(directory.resolve("system2-clients.json"));
    List<Map<String, Object>> rows = objects(report, "clients");
    assertThat(rows)
        .extracting(row -> row.get("clients"))
        .containsExactly("one client, no lock", "one client, one lock", "a pool of clients");
    assertThat(rows)
        .extracting(row -> object(row.get("driver")))
        .allSatisfy(CollapseTest::balances);
    // ten threads in one client read each other's replies, or break its connection
    assertThat(count(object(rows.get(0).get("driver")), "failed")).as(shown).isPositive();
    for (Map<String, Object> row : rows.subList(1, 3)) {
      assertThat(count(object(row.get("driver")), "answered")).as(shown).isPositive();
      assertThat(count(row, "outOfSequence")).as(shown).isZero();
    }
    assertNothingIsLeft();
  }

  @Test
  void run_servers_answersByEachModelOfServer() throws Exception {
    String shown = ProgramRun.little(new Collapse(), directory, "--servers").shown();

    Map<String, Object> report = JsonText.read(directory.resolve("system2-servers.json"));
    List<Map<String, Object>> rows = objects(report, "servers");
    assertThat(rows)
        .extracting(row -> row.get("server"))
        .containsExactly("TThreadedSelectorServer", "THsHaServer", "TThreadPoolServer");
    assertThat(rows)
        .extracting(row -> object(row.get("driver")))
        .allSatisfy(CollapseTest::balances)
        .allSatisfy(driver -> assertThat(count(driver, "answered")).as(shown).isPositive());
    assertNothingIsLeft();
  }

  @Test
  void run_attempts_accountsForEachOfThem_andOverdrawsNoBudget() throws Exception {
    String shown = ProgramRun.little(new Collapse(), directory, "--attempts").shown();

    assertThat(shown).contains("7 of 7 runs; in each", "by the budget at most", "A full outage");
    Map<String, Object> report = JsonText.read(directory.resolve("system2-attempts.json"));
    assertThat(report).containsEntry("accountingHolds", true);
    List<Map<String, Object>> surges = objects(report, "surges");
    assertThat(surges)
        .extracting(run -> run.get("strategy"))
        .containsExactly("retries on a budget", "hedges");
    for (Map<String, Object> run : surges) {
      balances(object(run.get("withWarmUp")));
      assertThat(count(run, "begun"))
          .isBetween(count(run, "c.attempts"), count(run, "mostByTheBudget"));
    }
    List<Map<String, Object>> outages = objects(report, "outages");
    assertThat(outages)
        .extracting(run -> run.get("strategy"))
        .containsExactly(
            "no retry", "retries, budget never refuses", "retries on a budget", "hedges");
    long calls = count(outages.get(0), "calls");
    assertThat(count(outages.get(0), "attempts")).isEqualTo(calls);
    assertThat(count(outages.get(1), "attempts")).isGreaterThan(2 * calls);
    assertThat(count(outages.get(2), "attempts"))
        .isLessThanOrEqualTo(count(outages.get(2), "mostByTheBudget"));
    assertNothingIsLeft();
  }

  @Test
  void run_wrongArguments_saysWhatWasExpected() {
    assertThatThrownBy(
            () ->
                Program.run(
                    new Collapse(), List.of("--payload", "10"), Stop.onDemand(), System.out))
        .isInstanceOf(ParameterException.class)
        .hasMessage("--payload is 10, expected 1 or 100");
    assertThatThrownBy(
            () -> Program.run(new Collapse(), List.of("--loud"), Stop.onDemand(), System.out))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("'--loud'");
  }

  private Map<String, Object> report() throws Exception {
    return JsonText.read(directory.resolve("system2.json"));
  }
}
