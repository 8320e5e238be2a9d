// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.journal;

import dev.tenrec.core.outcome.CommandRejectedException.Reason;
import dev.tenrec.core.view.CallRefusal;
import dev.tenrec.core.view.CallTimeout;
import dev.tenrec.core.view.JournalEntry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The last calls of one command that were refused, timed out, or were beyond their deadline: one
 * for each reason and interval, so that a command that refuses a million calls a second writes down
 * two. Thread-safe.
 */
public final class CallTrouble {

  /** How many are kept. */
  public static final int CAPACITY = 16;

  private static final int TIMEOUT = Reason.values().length;
  private static final int DEADLINE = TIMEOUT + 1;

  private final Journal journal;
  private final String commandKey;

  /**
   * By the reason's ordinal, from when on the next call is written down. Any thread moves one on by
   * compare-and-set; the thread that did writes.
   */
  private final AtomicLongArray dueNanos;

  /** Written and read under its own monitor. */
  private final Deque<JournalEntry> last = new ArrayDeque<>(4);

  /**
   * None was refused before. It may be made by the first that is, whose time was read earlier than
   * {@code nowNanos}: so any time is late enough for the first one.
   */
  public CallTrouble(Journal journal, String commandKey, long nowNanos) {
    this.journal = journal;
    this.commandKey = commandKey;
    long[] due = new long[DEADLINE + 1];
    Arrays.fill(due, nowNanos - Long.MAX_VALUE / 2);
    this.dueNanos = new AtomicLongArray(due);
  }

  /** A call was refused; written down if none was for this reason in this interval. */
  public void refused(
      Reason reason, String bulkhead, int inUse, int limit, long nowNanos, long intervalNanos) {
    if (claims(reason.ordinal(), nowNanos, intervalNanos)) {
      CallRefusal refusal = new CallRefusal(reason, bulkhead, inUse, limit);
      write((number, at) -> new JournalEntry.CallRefused(number, at, commandKey, refusal));
    }
  }

  /** A call timed out; written down if none did in this interval. */
  public void timedOut(long timeoutNanos, boolean begun, long nowNanos, long intervalNanos) {
    if (claims(TIMEOUT, nowNanos, intervalNanos)) {
      CallTimeout timeout = new CallTimeout(Duration.ofNanos(timeoutNanos), begun);
      write((number, at) -> new JournalEntry.CallTimedOut(number, at, commandKey, timeout));
    }
  }

  /** A call was beyond its deadline; written down if none was in this interval. */
  public void beyondDeadline(boolean begun, long nowNanos, long intervalNanos) {
    if (claims(DEADLINE, nowNanos, intervalNanos)) {
      write((number, at) -> new JournalEntry.CallBeyondDeadline(number, at, commandKey, begun));
    }
  }

  private boolean claims(int kind, long nowNanos, long intervalNanos) {
    long due = dueNanos.get(kind);
    return nowNanos - due >= 0 && dueNanos.compareAndSet(kind, due, nowNanos + intervalNanos);
  }

  private void write(Journal.EntryMaker maker) {
    synchronized (last) {
      if (last.size() == CAPACITY) {
        last.removeFirst();
      }
      last.addLast(journal.trouble(maker));
    }
  }

  /** Those that are kept, oldest first. */
  public List<JournalEntry> last() {
    synchronized (last) {
      return List.copyOf(last);
    }
  }
}
