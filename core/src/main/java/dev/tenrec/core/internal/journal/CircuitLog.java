// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.journal;

import dev.tenrec.core.internal.callback.CallbackShare;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.internal.text.LogText;
import dev.tenrec.core.view.JournalEntry;
import dev.tenrec.metrics.view.CircuitState;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Writes what the journal has of circuits to the log, in a share of its own: a logger that blocks
 * holds up no call, and user code that blocks in its command's share holds up no line. Thread-safe.
 */
public final class CircuitLog {

  /** How many may wait for a logger that blocks; then the oldest are left out, and counted. */
  static final int CAPACITY = Journal.CAPACITY;

  private static final Logger LOG = LoggerFactory.getLogger(CircuitLog.class);

  private final CallbackShare callbacks;

  /**
   * With room for all that may wait: an {@link ArrayDeque} that finds no memory to grow has the
   * entry already, and its order no more. Written and read under its own monitor, and with it the
   * next two.
   */
  private final Deque<JournalEntry.CircuitChanged> waiting = new ArrayDeque<>(CAPACITY + 1);

  /** Whether a task was handed over that has yet to find that nothing waits. */
  private boolean writing;

  /** Those left out since the last line. */
  private long leftOut;

  /** Logs in this share. */
  public CircuitLog(CallbackShare callbacks) {
    this.callbacks = callbacks;
  }

  /** Has one written by the next {@link #start}, after those before it. Waits for nothing. */
  void add(JournalEntry.CircuitChanged entry) {
    synchronized (waiting) {
      waiting.addLast(entry);
      if (waiting.size() > CAPACITY) {
        waiting.removeFirst();
        leftOut++;
      }
    }
  }

  /** Has all written that waits. It may begin a thread, so it wants to be called under no lock. */
  void start() {
    CallbackTask task = CallbackTask.of(this::writeWaiting); // first: it may find no memory
    synchronized (waiting) {
      if (writing || waiting.isEmpty()) {
        return;
      }
      writing = true;
    }
    callbacks.execute(task);
  }

  private void writeWaiting() {
    while (true) {
      JournalEntry.@Nullable CircuitChanged next;
      long missing;
      synchronized (waiting) {
        next = waiting.pollFirst();
        if (next == null) {
          writing = false;
          return;
        }
        missing = leftOut;
        leftOut = 0;
      }
      write(next, missing);
    }
  }

  private static void write(JournalEntry.CircuitChanged next, long missing) {
    try {
      if (missing > 0) {
        LOG.warn("{} changes of circuits are not in the log, which blocked", missing);
      }
      LOG.atLevel(next.transition().to() == CircuitState.OPEN ? Level.WARN : Level.INFO)
          .log("{}: {}", LogText.of(next.key()), LogText.of(next.text()));
    } catch (Throwable loggers) { // a back end that throws must not keep the next from it
      return;
    }
  }
}
