// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud.internal;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commands of one id, whose key may be removed from the Tenrec: the next call builds them anew,
 * with the settings of that time and a circuit without a past. Thread-safe.
 *
 * @param <T> what the calls go to
 */
final class Renewed<T> {

  private static final Logger LOG = LoggerFactory.getLogger(Renewed.class);

  private final Supplier<T> build;
  private final Predicate<T> closed;
  private final ReentrantLock lock = new ReentrantLock();

  /** Written under the lock, read by any caller, ordered by volatile access. */
  private volatile T current;

  /** Whether the log says that it cannot come back. Written and read under the lock. */
  private boolean reported;

  /**
   * Builds the first.
   *
   * @throws RuntimeException as {@code build} does
   */
  Renewed(Supplier<T> build, Predicate<T> closed) {
    this.build = build;
    this.closed = closed;
    this.current = build.get();
  }

  /** Whether the next call will have to build anew. */
  boolean isClosed() {
    return closed.test(current);
  }

  /** What a call goes to now. It rejects calls if its key was removed and cannot come back. */
  T current() {
    T present = current;
    if (!closed.test(present)) {
      return present;
    }
    lock.lock();
    try {
      if (closed.test(current)) {
        current = build.get();
      }
    } catch (RuntimeException e) { // closed Tenrec or context, too many keys, a wrong setting
      if (!reported) {
        reported = true;
        LOG.info("A circuit breaker that was removed does not come back: {}", e.getMessage());
      }
    } finally {
      lock.unlock();
    }
    return current;
  }
}
