// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.Counts;
import dev.tenrec.field.load.Latency;
import dev.tenrec.field.load.Plan;
import dev.tenrec.field.load.Presence;
import dev.tenrec.field.load.Result;
import dev.tenrec.field.load.engine.Engines;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RunReconciliationTest {

  /** 100 sent: 70 answered, 10 answered with a failure, 20 without a reply. */
  private final Result driver = result(70, 30, 0, Map.of("IOException: status 502", 10L));

  private final Map<String, Long> counts =
      new HashMap<>(
          Map.of(
              "c.received", 95L,
              "c.answered", 75L,
              "c.failed", 20L,
              "c.attempts", 115L,
              "c.succeeded", 75L,
              "p.begun", 110L,
              "p.done", 110L));

  @Test
  void differences_ofWhatAgrees_areNone() {
    assertThat(RunReconciliation.differences(run(false, ""))).isEmpty();
    assertThat(run(false, "").doneForNobody()).isEqualTo(35);
  }

  @Test
  void differences_betweenDriverAndConsumers_areNamed() {
    counts.put("c.answered", 69L);
    counts.put("c.succeeded", 69L);

    assertThat(RunReconciliation.differences(run(false, "")))
        .containsExactly(
            "received is 95, but answered + refused + failed is 89",
            "answered by the consumers is 69, expected at least 70 (what the driver has of it) and"
                + " at most 90 (that and the calls it has no reply to)");
  }

  @Test
  void differences_betweenConsumersAndProvider_areNamed() {
    counts.put("p.begun", 117L);
    counts.put("p.done", 116L);

    assertThat(RunReconciliation.differences(run(false, "")))
        .containsExactly(
            "calls the provider began is 117, but those it did is 116",
            "calls the provider did is 116, expected at least 75 (calls that succeeded) and at"
                + " most 115 (calls that went out to it)");
  }

  @Test
  void differences_ofTheCommand_areNamed() {
    counts.put("command.SUCCESS", 75L);
    counts.put("command.TIMEOUT", 19L);

    assertThat(RunReconciliation.differences(run(true, "")))
        .containsExactly("failed is 20, but FAILURE + TIMEOUT is 19");
  }

  @Test
  void differences_ofFurtherAttempts_areNamed() {
    counts.put("command.SUCCESS", 75L);
    counts.put("command.FAILURE", 23L);
    counts.put("command.ATTEMPT_OUTRUN", 2L);
    counts.put("command.RETRY", 3L);
    counts.put("command.HEDGE", 2L);
    assertThat(RunReconciliation.differences(run(true, ""))).isEmpty();

    counts.put("command.RETRY", 4L);

    assertThat(RunReconciliation.differences(run(true, "")))
        .containsExactly(
            "failed + RETRY + HEDGE is 26, but FAILURE + TIMEOUT + ATTEMPT_OUTRUN is 25");
  }

  @Test
  void differences_ofARunThatWasStopped_areThoseOfTheDriver() {
    counts.clear();

    assertThat(RunReconciliation.differences(run(false, SurgeRun.STOPPED))).isEmpty();
    assertThat(RunReconciliation.differences(run(false, SurgeRun.NEVER_QUIET)))
        .containsExactly("consumers or provider still had something to do when it was ended");
  }

  @Test
  void recoveredAfterSeconds_isTheFirstOfTwoHealthyWindows() {
    assertThat(surge(99, 20, 97, 96, 0).recoveredAfterSeconds()).hasValue(4);
    assertThat(surge(96, 96, 0, 0, 0).recoveredAfterSeconds()).hasValue(0);
    assertThat(surge(20, 20, 20, 96, 96).recoveredAfterSeconds()).hasValue(6);
    assertThat(surge(20, 20, 20, 20, 96).recoveredAfterSeconds()).isEmpty();
    assertThat(surge(20, 96, 20, 96, 20).recoveredAfterSeconds()).isEmpty();
  }

  private static SurgeRun surge(int... answered) {
    List<Window> windows =
        IntStream.range(0, answered.length)
            .mapToObj(
                number ->
                    new Window(
                        Phase.AFTER,
                        number,
                        100,
                        result(answered[number], 100 - answered[number], 0, Map.of())))
            .toList();
    return new SurgeRun(
        new Setup(1_000, Guard.NONE, Setup.USUAL_ATTEMPTS, 2, 10, Setup.USUAL_PERMITS),
        Form.FULL,
        result(0, 0, 0, Map.of()),
        windows,
        List.of(),
        Map.of(),
        0,
        "");
  }

  private SurgeRun run(boolean guarded, String remark) {
    return new SurgeRun(
        new Setup(
            1_000,
            guarded ? Guard.FULL : Guard.NONE,
            Setup.USUAL_ATTEMPTS,
            2,
            10,
            Setup.USUAL_PERMITS),
        Form.SHORT,
        result(0, 0, 0, Map.of()),
        List.of(new Window(Phase.CALM, 0, 100, driver)),
        List.of(),
        counts,
        remark.isEmpty() ? 1 : -1,
        remark);
  }

  private static Result result(
      long answered, long failed, long refused, Map<String, Long> failures) {
    long sent = answered + failed + refused;
    Latency none = new Latency(new Histogram(3));
    return new Result(
        new Plan(
            Engines.ASYNC,
            1,
            new Arrivals.Open(100),
            100,
            Duration.ofSeconds(1),
            Duration.ofSeconds(1)),
        new Counts(answered, failed, refused, 0, sent, sent, 0),
        1,
        0,
        none,
        none,
        none,
        none,
        Presence.OPEN,
        failures,
        List.of());
  }
}
