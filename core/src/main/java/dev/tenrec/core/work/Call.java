// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.work;

import java.time.Duration;

/**
 * One execution, as its own work may see it. Thread-safe; may be used after the work has returned.
 */
public interface Call {

  /** The key of the command. */
  String commandKey();

  /**
   * Which attempt of its execution this is: 1, unless a retry or a hedge began another one. Work
   * that sends an idempotency key sends one key with every attempt; this number distinguishes them
   * in a log.
   */
  default int attempt() {
    return 1;
  }

  /**
   * Registers what stops this work when it is given up: at its deadline, or when the caller cancels
   * or is interrupted. Several may be registered; they run once, the last one first, in the
   * command's share of Tenrec's callback threads, and no answer waits for them. If the call is
   * given up already, {@code canceller} runs at once, on the calling thread. If the work ends by
   * itself, it is dropped unused. What it throws is logged.
   */
  void onCancel(Canceller canceller);

  /**
   * The time left until this execution's deadline, to be handed to whatever is called next; zero
   * when it has passed. Without a time-out {@code Duration.ofNanos(Long.MAX_VALUE)}.
   *
   * <p>Of a stream it is the time left for the first item: while the subscriber has asked for no
   * item all of it, or as much as is left until the deadline of the call it was made in; and
   * without limit once the first has come.
   */
  Duration remaining();

  /**
   * Whether no caller waits for this work's result any more: its caller was answered without it. It
   * stays so when the work has stopped, as a stage has that was cancelled for that: what goes on
   * nevertheless can ask. False after work that had ended by itself.
   */
  boolean isGivenUp();
}
