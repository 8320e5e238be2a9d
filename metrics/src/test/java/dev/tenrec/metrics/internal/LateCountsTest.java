// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/**
 * A bucket ended long ago, and another thread holds the lock, which will not close it or has summed
 * nothing yet: what is counted now is in the window of now all the same.
 */
@OwnThread
class LateCountsTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final CommandMetrics metrics = command(10, 10, true, 60, 6);

  private static CommandMetrics command(
      int seconds, int buckets, boolean percentiles, int percentileSeconds, int percentileBuckets) {
    return new CommandMetrics(
        new MetricsSettings(
            seconds * SECOND,
            buckets,
            percentiles,
            percentileSeconds * SECOND,
            percentileBuckets,
            SECOND / 2),
        0,
        () -> 0);
  }

  @Test
  void roll_afterASilence_waitsForTheLock() throws Exception {
    whileLocked(metrics.lock, true, () -> fail(metrics, 60 * SECOND));

    assertThat(metrics.rollingCount(EventType.FAILURE, 60 * SECOND)).isEqualTo(1);
    assertThat(metrics.health(60 * SECOND)).isEqualTo(new HealthSnapshot(1, 1, 0));
  }

  @Test
  void roll_aBucketLate_waitsForTheLock() throws Exception {
    assertThat(metrics.lookAtHealth(SECOND - 1)).isNotNull();
    whileLocked(metrics.lock, true, () -> fail(metrics, 2 * SECOND));

    assertThat(metrics.rollingCount(EventType.FAILURE, 12 * SECOND - 1)).isEqualTo(1);
    assertThat(metrics.rollingCount(EventType.FAILURE, 12 * SECOND)).isZero();
  }

  @Test
  void roll_inTheNextBucket_doesNotWait_andCountsInTheOneBefore() throws Exception {
    assertThat(metrics.lookAtHealth(SECOND - 1)).isNotNull();
    whileLocked(metrics.lock, false, () -> fail(metrics, 2 * SECOND - 1));

    assertThat(metrics.rollingCount(EventType.FAILURE, 10 * SECOND - 1)).isEqualTo(1);
    assertThat(metrics.rollingCount(EventType.FAILURE, 10 * SECOND)).isZero();
  }

  @Test
  void roll_ofAWindowOfOneBucket_waitsForTheLock() throws Exception {
    CommandMetrics one = command(10, 1, false, 60, 6);
    whileLocked(one.lock, true, () -> fail(one, 10 * SECOND));

    assertThat(one.rollingCount(EventType.FAILURE, 10 * SECOND)).isEqualTo(1);
  }

  @Test
  void roll_aShorterBucketOfLatenciesLate_waitsForTheLock() throws Exception {
    CommandMetrics fine = command(60, 2, true, 10, 10);
    CommandMetrics off = command(60, 6, false, 10, 10);
    whileLocked(
        fine.lock,
        true,
        () -> {
          fine.roll(20 * SECOND);
          fine.recordExecution(5);
        });
    whileLocked(off.lock, false, () -> fail(off, 9 * SECOND));

    assertThat(fine.executionLatency(20 * SECOND).count()).isEqualTo(1);
  }

  private static void fail(CommandMetrics metrics, long nowNanos) {
    metrics.roll(nowNanos);
    metrics.count(EventType.FAILURE);
  }

  @Test
  void pool_afterASilence_waitsForTheLock() throws Exception {
    PoolMetrics pool = new PoolMetrics(10 * SECOND, 10, 0, () -> 0);
    whileLocked(pool.lock, true, () -> pool.countExecuted(60 * SECOND));
    assertThat(pool.rollingExecuted(60 * SECOND)).isEqualTo(1);

    pool.reconfigure(20 * SECOND, 2, 60 * SECOND);
    whileLocked(pool.lock, false, () -> pool.countExecuted(80 * SECOND - 1));
    whileLocked(pool.lock, true, () -> pool.countExecuted(80 * SECOND));
    assertThat(pool.rollingExecuted(80 * SECOND)).as("the first a bucket early").isEqualTo(1);
  }

  @Test
  void pool_withAWindowOfOneBucket_waitsForTheLock() throws Exception {
    PoolMetrics pool = new PoolMetrics(10 * SECOND, 1, 0, () -> 0);
    whileLocked(pool.lock, false, () -> pool.countExecuted(10 * SECOND - 1));
    whileLocked(pool.lock, true, () -> pool.countExecuted(10 * SECOND));

    assertThat(pool.rollingExecuted(10 * SECOND)).isEqualTo(1);
  }

  @Test
  void collapser_afterASilence_waitsForTheLock() throws Exception {
    CollapserMetrics collapser =
        new CollapserMetrics(
            new CollapserMetricsSettings(60 * SECOND, 1, true, 10 * SECOND, 10), 0);
    whileLocked(collapser.lock, true, () -> collapser.countBatch(3, 3, 30 * SECOND));
    assertThat(collapser.batchSizes(30 * SECOND).count()).isEqualTo(1);

    whileLocked(collapser.lock, false, () -> collapser.countCacheHit(31 * SECOND));
    whileLocked(collapser.lock, true, () -> collapser.countCacheHit(32 * SECOND));
  }

  /**
   * Runs it on another thread, while this one holds the lock.
   *
   * @param waits whether it has to wait for the lock
   */
  private static void whileLocked(ReentrantLock lock, boolean waits, Runnable counting)
      throws Exception {
    Thread thread = new Thread(counting, "counting");
    thread.setDaemon(true);
    lock.lock();
    try {
      thread.start();
      await().until(() -> lock.hasQueuedThread(thread) || !thread.isAlive());
      assertThat(lock.hasQueuedThread(thread)).as("waits for the lock").isEqualTo(waits);
    } finally {
      lock.unlock();
    }
    thread.join(PatientWaits.patience().toMillis());
    assertThat(thread.isAlive()).isFalse();
  }
}
