// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.concurrency;

import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Something every request has its own of: made where it is first asked for, once also if several
 * threads ask at once, and shut down with its request. Usually kept in a static field. Thread-safe.
 *
 * @param <T> what it is
 */
public class HystrixRequestVariableDefault<T extends @Nullable Object>
    implements HystrixRequestVariable<T> {

  /** A value that is made once, and shut down once. */
  private static final class Slot<T extends @Nullable Object> {

    private final HystrixRequestVariableDefault<T> variable;

    /** Written and read under this object's lock. */
    private boolean made;

    /** Written and read under this object's lock. */
    private @Nullable T value;

    /** Whether this value is shut down. Written and read under this object's lock. */
    private boolean ended;

    /** Whether none is to be made any more. Written and read under this object's lock. */
    private boolean over;

    Slot(HystrixRequestVariableDefault<T> variable) {
      this.variable = variable;
    }

    @SuppressWarnings("NullAway") // made is said after value is there, null or not
    synchronized T get() {
      if (!made) {
        checkOpen();
        value = variable.initialValue();
        made = true;
      }
      return value;
    }

    synchronized void set(T given) {
      checkOpen();
      value = given;
      made = true;
      ended = false;
    }

    private void checkOpen() {
      if (over) {
        throw atNone();
      }
    }

    @SuppressWarnings("NullAway") // as above
    void end(boolean last) {
      T ending;
      synchronized (this) {
        over |= last;
        if (!made || ended) {
          return;
        }
        ended = true;
        ending = value;
      }
      variable.shutdown(ending);
    }
  }

  /** One more variable. */
  public HystrixRequestVariableDefault() {}

  /**
   * The value of this thread's request.
   *
   * @throws IllegalStateException if this thread is at no open request
   */
  @Override
  public T get() {
    return slot().get();
  }

  /** Null unless a subclass overrides it. */
  @Override
  @SuppressWarnings("NullAway") // T may be null where it is not overridden
  public T initialValue() {
    return null;
  }

  /**
   * Replaces the value; the one before is not shut down.
   *
   * @throws IllegalStateException if this thread is at no open request
   */
  public void set(T value) {
    slot().set(value);
  }

  /** Shuts the value down, if there is one, so that the next {@link #get} makes a new one. */
  public void remove() {
    HystrixRequestContext context = HystrixRequestContext.getContextForCurrentThread();
    ConcurrentMap<HystrixRequestVariableDefault<?>, Object> values =
        context == null ? null : context.values();
    Object slot = values == null ? null : values.remove(this);
    if (slot != null) {
      end(slot, false);
    }
  }

  /** Does nothing unless a subclass overrides it. */
  @Override
  public void shutdown(T value) {}

  /**
   * Shuts down what a context holds, unless that is done.
   *
   * @param last whether nothing is to be made in its place
   */
  static void end(Object slot, boolean last) {
    ((Slot<?>) slot).end(last);
  }

  @SuppressWarnings("unchecked") // under a variable there is its own slot
  private Slot<T> slot() {
    HystrixRequestContext context = HystrixRequestContext.getContextForCurrentThread();
    ConcurrentMap<HystrixRequestVariableDefault<?>, Object> values =
        context == null ? null : context.values();
    if (context == null || values == null) {
      throw atNone();
    }
    Object present = values.get(this);
    if (present == null) {
      present = values.computeIfAbsent(this, same -> new Slot<>(this));
      if (context.values() == null) { // it may have come too late to be shut down
        throw atNone();
      }
    }
    return (Slot<T>) present;
  }

  private static IllegalStateException atNone() {
    return new IllegalStateException(
        "this thread is at no request: call HystrixRequestContext.initializeContext() where the"
            + " request begins, and carry it to threads of your own with"
            + " HystrixContextRunnable or HystrixContextCallable");
  }
}
