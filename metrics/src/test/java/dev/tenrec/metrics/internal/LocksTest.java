// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.metrics.event.EventType;
import java.lang.reflect.Field;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever metrics are asked, they let go of their lock; else no other thread could read them. */
class LocksTest {

  private static final MetricsSettings OF_A_COMMAND = new MetricsSettings(100, 10, true, 60, 6, 5);
  private static final CollapserMetricsSettings OF_A_COLLAPSER =
      new CollapserMetricsSettings(100, 10, true, 60, 6);

  /** Later than any boundary, so that a bucket closes. */
  private static final long LATER = 1_000;

  static Stream<Consumer<CommandMetrics>> commands() {
    return Stream.of(
        metrics -> metrics.roll(LATER),
        metrics -> metrics.lookAtHealth(LATER),
        metrics -> metrics.lookBeforeCall(LATER),
        metrics -> metrics.lookArmed(LATER),
        metrics -> metrics.restartHealth(LATER),
        metrics -> metrics.health(LATER),
        metrics -> metrics.rollingCount(EventType.SUCCESS, LATER),
        metrics -> metrics.cumulativeCount(EventType.SUCCESS),
        metrics -> metrics.rollingWouldRefuseCount(LATER),
        CommandMetrics::cumulativeWouldRefuseCount,
        metrics -> metrics.counts(LATER),
        metrics -> metrics.executions(1_000, LATER),
        metrics -> metrics.latencies(LATER),
        metrics -> metrics.read(LATER, 0),
        metrics -> metrics.totals(0),
        metrics -> metrics.restart(LATER),
        metrics -> metrics.executionLatency(LATER),
        metrics -> metrics.callerLatency(LATER),
        metrics -> metrics.rollingMaxConcurrency(LATER),
        metrics -> metrics.reconfigure(OF_A_COMMAND, LATER));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void command_afterAnyQuestion_isUnlocked(Consumer<CommandMetrics> question) throws Exception {
    CommandMetrics metrics = new CommandMetrics(OF_A_COMMAND, 0, () -> 0);
    metrics.recordSuccess(1);

    question.accept(metrics);

    assertThat(lockOf(CommandCounters.class, metrics).isLocked()).isFalse();
  }

  static Stream<Consumer<PoolMetrics>> pools() {
    return Stream.of(
        metrics -> metrics.countExecuted(LATER),
        metrics -> metrics.countRejected(LATER),
        metrics -> metrics.reconfigure(100, 10, LATER),
        metrics -> metrics.rollingExecuted(LATER),
        metrics -> metrics.rollingRejected(LATER),
        PoolMetrics::cumulativeExecuted,
        PoolMetrics::cumulativeRejected,
        metrics -> metrics.rollingMaxActive(LATER),
        metrics -> metrics.restart(LATER));
  }

  @ParameterizedTest
  @MethodSource("pools")
  void pool_afterAnyQuestion_isUnlocked(Consumer<PoolMetrics> question) throws Exception {
    PoolMetrics metrics = new PoolMetrics(100, 10, 0, () -> 0);

    question.accept(metrics);

    assertThat(lockOf(WindowedCounts.class, metrics).isLocked()).isFalse();
  }

  static Stream<Consumer<CollapserMetrics>> collapsers() {
    return Stream.of(
        metrics -> metrics.countBatch(1, 1, LATER),
        metrics -> metrics.countCacheHit(LATER),
        metrics -> metrics.reconfigure(OF_A_COLLAPSER, LATER),
        metrics -> metrics.rollingBatches(LATER),
        metrics -> metrics.cumulativeBatches(),
        metrics -> metrics.batchSizes(LATER),
        metrics -> metrics.batchSizeTotals(),
        metrics -> metrics.restart(LATER));
  }

  @ParameterizedTest
  @MethodSource("collapsers")
  void collapser_afterAnyQuestion_isUnlocked(Consumer<CollapserMetrics> question) throws Exception {
    CollapserMetrics metrics = new CollapserMetrics(OF_A_COLLAPSER, 0);

    question.accept(metrics);

    assertThat(lockOf(WindowedCounts.class, metrics).isLocked()).isFalse();
  }

  private static ReentrantLock lockOf(Class<?> type, Object metrics) throws Exception {
    Field lock = type.getDeclaredField("lock");
    lock.setAccessible(true);
    return (ReentrantLock) lock.get(metrics);
  }
}
