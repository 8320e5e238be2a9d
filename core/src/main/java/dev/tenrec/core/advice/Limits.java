// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.advice;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What bounds a command's calls.
 *
 * @param timeout from the call to its deadline, above 0; null if there is none
 * @param core how many calls may run before one waits: the core threads of a pool, or the permits
 *     of a semaphore or of virtual threads; at least 1
 * @param queue how many calls may wait for a thread; 0 if none
 * @param maximum how many calls may run once the queue is full; {@code core} if no more
 */
record Limits(@Nullable Duration timeout, int core, int queue, int maximum) {

  /**
   * Checks that the values fit together.
   *
   * @throws IllegalArgumentException if a value is out of its range
   */
  Limits {
    if (timeout != null && (timeout.isNegative() || timeout.isZero())) {
      throw new IllegalArgumentException("timeout is " + timeout + ", expected more than 0");
    }
    if (core < 1 || queue < 0 || maximum < core) {
      throw new IllegalArgumentException(
          "core is "
              + core
              + ", queue "
              + queue
              + ", maximum "
              + maximum
              + "; expected a core of at least 1, a queue of at least 0, a maximum of at least the core");
    }
  }

  /** Permits, without a queue. */
  static Limits ofPermits(@Nullable Duration timeout, int permits) {
    return new Limits(timeout, permits, 0, permits);
  }

  long timeoutNanos() {
    return timeout == null ? Long.MAX_VALUE : timeout.toNanos();
  }
}
