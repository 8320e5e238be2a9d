// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class GateTest {

  private final Results results =
      Results.parse(Canned.list(Canned.FLOOR, Canned.TENREC, Canned.RESILIENCE));

  @Test
  void judge_withinTheBound_holds() {
    assertThat(judged("1.25 x floor")).containsExactly(Gate.Verdict.HOLDS);
    assertThat(judged("62.5")).containsExactly(Gate.Verdict.HOLDS);
  }

  @Test
  void judge_beyondTheBound_isBrokenAndSaysFigureAndBound() {
    Gate gate = gates("SemaphoreExecution.tenrec@1.ns", "1.2 x floor").get(0);

    assertThat(gate.judge(results)).isEqualTo(Gate.Verdict.BROKEN);
    assertThat(gate.line(results))
        .isEqualTo("SemaphoreExecution.tenrec@1.ns: 62.5, and the bound is 1.2 x floor = 61.8");
  }

  /** The figure is 62.5 ns, and the floor's 51.5. */
  @Test
  void judge_soMuchOverTheOther_addsIt() {
    assertThat(judged("1 x floor + 11")).containsExactly(Gate.Verdict.HOLDS);
    assertThat(judged("1 x floor + 10.5")).containsExactly(Gate.Verdict.BROKEN);
    Gate gate = gates("SemaphoreExecution.tenrec@1.ns", "1 x floor + 10").get(0);
    assertThat(gate.line(results)).endsWith("the bound is 1.0 x floor + 10.0 = 61.5");
    assertThat(gate).hasToString("SemaphoreExecution.tenrec@1.ns <= 1.0 x floor + 10.0");
  }

  @Test
  void of_sumOfNothing_saysWhatWasExpected() {
    assertThatThrownBy(() -> gates("A.tenrec@1.ns", "100 + 50"))
        .hasMessageContaining("but found '100 + 50'");
  }

  @Test
  void judge_severalBounds_isEachOnItsOwn() {
    assertThat(judged("1.2 x floor, 0.75 x resilience4j"))
        .containsExactly(Gate.Verdict.BROKEN, Gate.Verdict.HOLDS);
  }

  @Test
  void judge_whatIsNotThere_isNotMeasured() {
    assertThat(judged("1 x sentinel")).containsExactly(Gate.Verdict.NOT_MEASURED);
    assertThat(gates("OpenCircuit.tenrec@1.ns", "1").get(0).judge(results))
        .isEqualTo(Gate.Verdict.NOT_MEASURED);
  }

  @Test
  void judge_whatIsThereAtAnotherDistance_isNotMeasuredButAboutThese() {
    Results withoutTimes =
        Results.parse(
            Canned.list(
                Canned.entry("A.tenrec", 8, "", "[[30]]", "0"),
                Canned.entry("A.floor", 8, "", "[]", "0")));
    Gate gate = gates("A.tenrec@8.ns", "1 x floor").get(0);

    assertThat(gate.judge(withoutTimes)).isEqualTo(Gate.Verdict.NOT_MEASURED);
    assertThat(gate.isAbout(withoutTimes)).isTrue();
    assertThat(gate.isAbout(results)).isFalse();
    assertThat(gates("A.tenrec@8.ns", "1 x other").get(0).isAbout(withoutTimes)).isFalse();
  }

  @Test
  void judge_noBytes_allowsForJmhsNoiseAlone() {
    assertThat(gates("SemaphoreExecution.tenrec@1.bytes", "0").get(0).judge(results))
        .isEqualTo(Gate.Verdict.HOLDS);
    assertThat(gates("SemaphoreExecution.resilience4j@1.bytes", "0").get(0).judge(results))
        .isEqualTo(Gate.Verdict.BROKEN);
  }

  @Test
  void of_whatIsNoGate_saysWhatWasExpected() {
    assertThatThrownBy(() -> gates("tenrec.ns", "1"))
        .hasMessageContaining("gate 'tenrec.ns': expected Class.method@threads.ns");
    assertThatThrownBy(() -> gates("A.tenrec@1.ns", "1.2 of floor"))
        .hasMessageContaining(
            "expected a number, '1.25 x method' or '1 x method + 150', but found '1.2 of floor'");
  }

  @Test
  void of_theProjectsFile_isAllGates() throws IOException {
    Properties file = new Properties();
    try (Reader reader = Files.newBufferedReader(Path.of("gates.properties"))) {
      file.load(reader);
    }

    assertThat(Gate.of(file))
        .hasSizeGreaterThanOrEqualTo(30)
        .extracting(Gate::label)
        .contains("SemaphoreExecution.tenrecPolluted@2", "Footprint.tenrecNeverCalled@1");
  }

  private List<Gate.Verdict> judged(String bounds) {
    return gates("SemaphoreExecution.tenrec@1.ns", bounds).stream()
        .map(gate -> gate.judge(results))
        .toList();
  }

  private static List<Gate> gates(String key, String bounds) {
    Properties file = new Properties();
    file.setProperty(key, bounds);
    return Gate.of(file);
  }
}
