// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.sizing.Sizing;
import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.Counts;
import dev.tenrec.field.load.Latency;
import dev.tenrec.field.load.Plan;
import dev.tenrec.field.load.Presence;
import dev.tenrec.field.load.Result;
import dev.tenrec.field.load.engine.Engines;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** From what a run measured to an application's settings. */
class SettingsTest {

  /** 1,000 answers in 2 seconds, 985 of them after 20 ms, 10 after 40 ms, 5 after 60 ms. */
  private static Result healthy() {
    Histogram micros = new Histogram(3);
    micros.recordValueWithCount(20_000, 985);
    micros.recordValueWithCount(40_000, 10);
    micros.recordValueWithCount(60_000, 5);
    return result(new Counts(1_000, 0, 0, 0, 1_000, 1_000, 0), micros);
  }

  private static Result result(Counts counts, Histogram micros) {
    Plan plan =
        new Plan(
            Engines.ASYNC,
            2,
            new Arrivals.Open(500),
            1_000,
            Duration.ofSeconds(2),
            Duration.ofSeconds(1));
    Latency latency = new Latency(micros);
    return new Result(
        plan,
        counts,
        20,
        2_000_000_000L,
        latency,
        latency,
        latency,
        latency,
        Presence.OPEN,
        Map.of(),
        List.of());
  }

  @Test
  void sizing_ofAHealthyRun_followsTheRules() {
    Sizing sizing = Settings.sizing(healthy());

    assertThat(sizing.coreSize()).as("500 a second, 40 ms each").isBetween(20, 21);
    assertThat(sizing.queueSize()).isEqualTo(sizing.coreSize());
    assertThat(sizing.timeout().toMillis()).isBetween(40L, 41L);
    assertThat(sizing.fallbackPermits()).isEqualTo(3);
    assertThat(Settings.volume(sizing)).as("of 10 %, where 0.5 % are healthy").isEqualTo(34);
    assertThat(Settings.sleep(sizing).plus(sizing.timeout()))
        .as("twice a twentieth of 5 s")
        .isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void sizing_ofARunWithoutAnswers_isRefused() {
    Result none = result(new Counts(0, 5, 0, 0, 5, 5, 0), new Histogram(3));
    assertThatThrownBy(() -> Settings.sizing(none))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("nothing to size by");
  }

  @Test
  void whileRunning_namesHystrixsProperties() {
    Sizing sizing = Settings.sizing(healthy());
    Map<String, String> settings = Settings.whileRunning(sizing, Configuration.A);

    assertThat(settings)
        .containsEntry("tenrec.threadpool.FirstGuess.coreSize", "" + sizing.coreSize())
        .containsEntry("tenrec.threadpool.FirstGuess.maximumSize", "" + sizing.maximumSize())
        .containsEntry("tenrec.command.FirstGuess.answer.execution.timeout.enabled", "true")
        .hasSize(10);
    assertThat(Settings.text(settings).lines())
        .contains(
            "tenrec.command.FirstGuess.answer.fallback.isolation.semaphore.maxConcurrentRequests=3");
  }
}
