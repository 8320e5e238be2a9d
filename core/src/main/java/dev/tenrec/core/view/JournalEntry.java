// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.view;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.config.Refusal;
import dev.tenrec.core.config.SettingChange;
import java.time.Instant;

/**
 * Something that happened to a circuit, to a setting, or to calls that were refused, timed out, or
 * were beyond their deadline. What happens to calls is recorded once for each reason and health
 * interval.
 */
public sealed interface JournalEntry {

  /** Counts up from 1 in one Tenrec, in the order of recording. */
  long number();

  /** When, by the wall clock. */
  Instant at();

  /**
   * {@code command}, {@code threadpool}, {@code semaphore}, {@code ratelimiter}, {@code
   * retrybudget} or {@code collapser}; else empty.
   */
  String scope();

  /** The key of what it happened to; empty where a setting was refused that belongs to no key. */
  String key();

  /** What happened, in words and numbers, without key and time. */
  String text();

  /**
   * A circuit has changed its state.
   *
   * @param number see {@link JournalEntry#number()}, and so for each
   * @param at when
   * @param key the command's key
   * @param transition from what to what, and why
   */
  record CircuitChanged(long number, Instant at, String key, Transition transition)
      implements JournalEntry {

    @Override
    public String scope() {
      return "command";
    }

    @Override
    public String text() {
      return "circuit "
          + transition.from()
          + " -> "
          + transition.to()
          + ": "
          + transition.explanation();
    }
  }

  /**
   * A setting has another value.
   *
   * @param number see {@link JournalEntry#number()}, and so for each
   * @param at when
   * @param change what it was and is
   */
  record SettingChanged(long number, Instant at, SettingChange change) implements JournalEntry {

    @Override
    public String scope() {
      return change.scope();
    }

    @Override
    public String key() {
      return change.key();
    }

    @Override
    public String text() {
      return change.property()
          + " "
          + change.oldValue()
          + " -> "
          + change.newValue()
          + (change.origin() == null ? "" : " (" + change.origin() + ")");
    }
  }

  /**
   * A dynamic value was refused.
   *
   * @param number see {@link JournalEntry#number()}, and so for each
   * @param at when
   * @param scope of what it is; empty if it is no property of anything
   * @param key of what it is, {@code default} if it is for all; empty as the scope
   * @param refusal the value, and what was expected
   */
  record SettingRefused(long number, Instant at, String scope, String key, Refusal refusal)
      implements JournalEntry {

    @Override
    public String text() {
      return "refused " + refusal;
    }
  }

  /**
   * Calls were refused: this is the first of those of one reason and health interval.
   *
   * @param number see {@link JournalEntry#number()}, and so for each
   * @param at when
   * @param key the command's key
   * @param refusal what refused it, and on which figures
   */
  record CallRefused(long number, Instant at, String key, CallRefusal refusal)
      implements JournalEntry {

    @Override
    public String scope() {
      return "command";
    }

    @Override
    public String text() {
      return "call refused: " + refusal;
    }
  }

  /**
   * Calls timed out: this is the first of those of one health interval.
   *
   * @param number see {@link JournalEntry#number()}, and so for each
   * @param at when
   * @param key the command's key
   * @param timeout how
   */
  record CallTimedOut(long number, Instant at, String key, CallTimeout timeout)
      implements JournalEntry {

    @Override
    public String scope() {
      return "command";
    }

    @Override
    public String text() {
      return "call timed out: " + timeout;
    }
  }

  /**
   * Calls were ended, or not begun, by the deadline of the call they were made in: this is the
   * first of those of one health interval.
   *
   * @param number see {@link JournalEntry#number()}, and so for each
   * @param at when
   * @param key the command's key
   * @param begun whether the work had begun
   */
  record CallBeyondDeadline(long number, Instant at, String key, boolean begun)
      implements JournalEntry {

    @Override
    public String scope() {
      return "command";
    }

    @Override
    public String text() {
      return "call "
          + (begun ? "ended" : "not begun")
          + ": the deadline of the call it was made in has passed";
    }
  }
}
