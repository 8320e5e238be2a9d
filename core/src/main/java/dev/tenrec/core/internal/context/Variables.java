// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.context;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The values of one request's variables. Thread-safe. */
public final class Variables {

  private static final Logger LOG = LoggerFactory.getLogger(Variables.class);

  private final Map<Variable<?>, Slot> slots = new ConcurrentHashMap<>();

  /**
   * Written by the closing thread before it looks at the slots. Read under a slot's lock, after the
   * slot was put among the others: a thread that sees false has a slot that closing will find. Read
   * once more after the slot was unlocked: closing waits for no lock, so at least one of the two
   * threads sees what the other did.
   */
  private volatile boolean closed;

  /**
   * One variable's value. A lock of its own, because making a value may take time, and may ask for
   * other variables.
   */
  private static final class Slot extends ReentrantLock {
    private static final long serialVersionUID = 1L;

    // read and written under the lock
    private boolean filled;
    private transient @Nullable Object value;
  }

  /**
   * The value, made now if there is none. Of several threads that come first, one makes it and the
   * others wait for that; if making it throws, the next one tries again. Closing does not wait: a
   * value that was in the making is then closed by the thread that made it.
   *
   * @throws IllegalStateException if it was closed, or is meanwhile
   */
  @SuppressWarnings({"unchecked", "NullAway"}) // what this variable's slot holds is a T
  public <T extends @Nullable Object> T get(Variable<T> variable) {
    Slot slot = lock(variable);
    T value;
    try {
      if (!slot.filled) {
        slot.value = variable.initial.get();
        slot.filled = true;
      }
      value = (T) slot.value;
    } finally {
      slot.unlock();
    }
    if (closed) {
      closeQuietly(variable, slot);
      throw closedMeanwhile();
    }
    return value;
  }

  /** Replaces the value, which goes without being closed. */
  public <T extends @Nullable Object> void set(Variable<T> variable, T value) {
    Slot slot = lock(variable);
    try {
      slot.value = value;
      slot.filled = true;
    } finally {
      slot.unlock();
    }
    if (closed) {
      closeQuietly(variable, slot);
    }
  }

  /** Closes the value, if there is one, and forgets it. Throws what closing it throws. */
  public <T extends @Nullable Object> void remove(Variable<T> variable) {
    takeOut(variable, lock(variable));
  }

  /** Closes every value there is, whatever another one throws. Afterwards there are none. */
  public void close() {
    closed = true;
    slots.forEach(Variables::closeQuietly);
    slots.clear();
  }

  /** What throws is user code: the other values have to be closed nevertheless. */
  private static void closeQuietly(Variable<?> variable, Slot slot) {
    try {
      if (slot.tryLock()) { // else the thread that holds it comes here afterwards
        takeOut(variable, slot);
      }
    } catch (Throwable thrown) {
      warn(thrown);
    }
  }

  private static void warn(Throwable thrown) {
    try {
      LOG.warn("a request variable failed to close; the request goes on closing", thrown);
    } catch (Throwable loggers) { // no memory, no stack: there is nothing left to do
      return;
    }
  }

  private Slot lock(Variable<?> variable) {
    Slot slot = slots.computeIfAbsent(variable, absent -> new Slot());
    slot.lock();
    if (closed) {
      slot.unlock();
      closeQuietly(variable, slot);
      throw closedMeanwhile();
    }
    return slot;
  }

  private static IllegalStateException closedMeanwhile() {
    return new IllegalStateException("the request was closed while its variable was used");
  }

  /** Unlocks the slot, empty, and closes the value it had: no user's code runs under the lock. */
  @SuppressWarnings({"unchecked", "NullAway"}) // what this variable's slot holds is a T
  private static <T extends @Nullable Object> void takeOut(Variable<T> variable, Slot slot) {
    boolean filled = slot.filled;
    T value = (T) slot.value;
    slot.filled = false;
    slot.value = null;
    slot.unlock();
    if (filled) {
      variable.onClose.accept(value);
    }
  }
}
