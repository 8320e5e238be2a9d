// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.journal;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.config.Refusal;
import dev.tenrec.core.config.SettingChange;
import dev.tenrec.core.internal.flight.Flight;
import dev.tenrec.core.view.JournalEntry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * What happened to the circuits and settings of one Tenrec, the last of it. What happens to calls
 * gets its number here, is reported, and is kept by its command: there may be so much of it that
 * nothing else would be left. Thread-safe; nothing in it waits for user code.
 */
public final class Journal {

  /** How many entries are kept: circuits and settings seldom change. */
  public static final int CAPACITY = 1_000;

  private final InstantSource wallClock = InstantSource.system();

  private final CircuitLog log;

  /** With room for all, as {@link CircuitLog}'s. Written and read under this object's monitor. */
  private final Deque<JournalEntry> entries = new ArrayDeque<>(CAPACITY);

  /** Written and read under this object's monitor. */
  private long last;

  /** Receives each entry. Written once, before another thread has the Tenrec. */
  private volatile Consumer<? super JournalEntry> reporter = entry -> {};

  /** An empty one, that has circuits' changes written there. */
  public Journal(CircuitLog log) {
    this.log = log;
  }

  /** Has each entry from now on reported to {@code reporter}, one at a time: it must not wait. */
  public void reportTo(Consumer<? super JournalEntry> reporter) {
    this.reporter = Objects.requireNonNull(reporter, "reporter");
  }

  /**
   * A circuit has changed its state. Written down, logged and reported in the order of {@link
   * Transition#number()}, whichever thread comes first.
   *
   * @param order of this circuit
   * @param inOrder receives what is written down, and must not wait
   */
  public void transition(
      String commandKey,
      Transition transition,
      TransitionOrder order,
      Consumer<? super Transition> inOrder) {
    synchronized (this) {
      for (Transition due : order.take(transition)) {
        inOrder.accept(due);
        JournalEntry entry =
            report(
                (number, at) -> new JournalEntry.CircuitChanged(number, at, commandKey, due),
                due.at(),
                true);
        log.add((JournalEntry.CircuitChanged) entry);
      }
    }
    log.start();
  }

  /** A setting has changed. */
  public void changed(SettingChange change) {
    keep((number, at) -> new JournalEntry.SettingChanged(number, at, change), wallClock.instant());
  }

  /**
   * A dynamic value was refused.
   *
   * @param scope of what it is, empty if it is nothing's
   * @param key of what it is, empty as the scope
   */
  public void refused(String scope, String key, Refusal refusal) {
    keep(
        (number, at) -> new JournalEntry.SettingRefused(number, at, scope, key, refusal),
        wallClock.instant());
  }

  /** What happened to a call, which its command keeps. */
  JournalEntry trouble(EntryMaker maker) {
    return report(maker, wallClock.instant(), false);
  }

  private void keep(EntryMaker maker, Instant at) {
    JournalEntry unused = report(maker, at, true);
  }

  private synchronized JournalEntry report(EntryMaker maker, Instant at, boolean kept) {
    JournalEntry entry = maker.make(last + 1, at);
    last++;
    if (kept) {
      if (entries.size() == CAPACITY) {
        entries.removeFirst();
      }
      entries.addLast(entry);
    }
    Flight.journalled(entry);
    reporter.accept(entry); // in order, for it is under the monitor
    return entry;
  }

  /** What is kept, oldest first. */
  public synchronized List<JournalEntry> entries() {
    return List.copyOf(entries);
  }

  /** What is kept of one command, oldest first. */
  public synchronized List<JournalEntry> entriesOf(String commandKey) {
    return entries.stream()
        .filter(entry -> entry.key().equals(commandKey) && entry.scope().equals("command"))
        .toList();
  }

  /** Makes an entry of its number and time. */
  @FunctionalInterface
  interface EntryMaker {
    JournalEntry make(long number, Instant at);
  }
}
