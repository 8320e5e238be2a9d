// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command of an annotation, or its collapser, whose key may be removed from the Tenrec: the next
 * call builds it anew, with the settings of that time and a circuit without a past. The annotation
 * is still there, and so is its command. Thread-safe.
 *
 * @param <T> what the calls go to
 */
final class Returning<T> {

  private static final Logger LOG = LoggerFactory.getLogger(Returning.class);

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
  Returning(Supplier<T> build, Predicate<T> closed) {
    this.build = build;
    this.closed = closed;
    this.current = build.get();
  }

  /** What a call goes to now. It rejects calls if its key was removed and cannot come back. */
  T current() {
    T present = current;
    return closed.test(present) ? anew() : present;
  }

  /** Whether its key was removed, and no call has come since. */
  boolean isClosed() {
    return closed.test(current);
  }

  private T anew() {
    lock.lock();
    try {
      if (closed.test(current)) {
        current = build.get();
      }
    } catch (IllegalStateException | IllegalArgumentException e) { // closed Tenrec, too many keys
      if (!reported) {
        reported = true;
        LOG.info("A command that was removed does not come back: {}", e.getMessage());
      }
    } finally {
      lock.unlock();
    }
    return current;
  }
}
