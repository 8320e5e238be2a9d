// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A minute in six buckets, from the moment 0 on. */
class CommandLatenciesTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final CommandLatencies latencies = new CommandLatencies(60 * SECOND, 6, 0);

  @Test
  void takeSuccesses_always_reportsEachOnce() {
    latencies.recordSuccess(1);
    latencies.recordSuccess(1);
    assertThat(latencies.takeSuccesses()).isEqualTo(2);
    assertThat(latencies.takeSuccesses()).isZero();
    assertThat(latencies.successes()).isZero();

    latencies.recordSuccess(1);
    assertThat(latencies.successes()).isEqualTo(1);
    assertThat(latencies.takeSuccesses()).isEqualTo(1);
    assertThat(latencies.takeSuccesses()).isZero();
  }

  @Test
  void read_afterSuccessesWereTaken_isWithoutThoseAndHasTheirLatencies() {
    latencies.recordSuccess(1);
    latencies.recordSuccess(1);
    assertThat(latencies.takeSuccesses()).isEqualTo(2);
    latencies.recordSuccess(1);

    assertThat(latencies.read(1).successes()).isEqualTo(1);
    assertThat(latencies.readTotals().successes()).isEqualTo(1);
    assertThat(latencies.readTotals().execution().count()).isEqualTo(3);
  }

  @Test
  void reconfigure_afterBuckets_closesThemFirst() {
    latencies.recordSuccess(1);
    latencies.reconfigure(60 * SECOND, 6, 35 * SECOND);
    latencies.recordSuccess(1);
    latencies.roll(65 * SECOND); // the window begins at 15 s, the first success ended by 10 s

    assertThat(latencies.execution(65 * SECOND).count()).isEqualTo(1);
    assertThat(latencies.readTotals().execution().count()).isEqualTo(2);
  }

  @Test
  void restart_withBothLatencies_beginsBothWindows() {
    latencies.recordExecution(1);
    latencies.recordCaller(1);

    latencies.restart();

    assertThat(latencies.execution(1).count()).isZero();
    assertThat(latencies.caller(1).count()).isZero();
    assertThat(latencies.readTotals().execution().count()).isEqualTo(1);
    assertThat(latencies.readTotals().caller().count()).isEqualTo(1);
  }
}
