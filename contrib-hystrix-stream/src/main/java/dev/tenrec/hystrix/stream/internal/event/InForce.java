// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.event;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.config.Property;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The settings in force of one command, pool or collapser, in Hystrix's units. */
record InForce(Tenrec tenrec, String key) {

  <T> @Nullable T orNull(Property<T> property) {
    T value = tenrec.setting(property, key);
    return value != null ? value : property.defaultValue();
  }

  boolean flag(Property<Boolean> property) {
    return Boolean.TRUE.equals(orNull(property));
  }

  int count(Property<Integer> property) {
    Integer value = orNull(property);
    return value == null ? 0 : value;
  }

  long millis(Property<Duration> property) {
    Duration value = orNull(property);
    return value == null ? 0 : value.toMillis();
  }

  /** How long a bucket of a window is. */
  long bucketMillis(Property<Duration> window, Property<Integer> buckets) {
    return millis(window) / Math.max(1, count(buckets));
  }

  IsolationStrategy isolation() {
    IsolationStrategy isolation = orNull(CommandProperties.ISOLATION_STRATEGY);
    return isolation == null ? IsolationStrategy.THREAD : isolation;
  }

  /** Virtual threads are bounded by permits, and refuse as a semaphore does. */
  String hystrixIsolation() {
    return isolation() == IsolationStrategy.THREAD ? "THREAD" : "SEMAPHORE";
  }

  /** The bound that a command has that is on no pool. */
  int permits() {
    return count(
        isolation() == IsolationStrategy.VIRTUAL_THREAD
            ? CommandProperties.VIRTUAL_THREAD_MAX_CONCURRENT
            : CommandProperties.SEMAPHORE_MAX_CONCURRENT);
  }
}
