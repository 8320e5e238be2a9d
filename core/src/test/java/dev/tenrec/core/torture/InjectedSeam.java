// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.core.kit.Way;
import dev.tenrec.core.torture.Trap.Mishap;

/** Where something goes wrong between the call and its ending. */
enum InjectedSeam {
  /** The n-th reading of the clock. */
  TICKER,
  /** The n-th line that is logged, where the ending trips the circuit. */
  LOGGER_AT_TRANSITION,
  /** The n-th line that is logged, where a listener fails at every step. */
  LOGGER_AT_LISTENER,
  /** The n-th step that a listener is notified of. */
  LISTENER,
  /** The n-th capture, installation or end of it. */
  PROPAGATOR,
  /** The canceller of the work. */
  CANCELLER,
  /** What is handed to the callback executor. */
  EXECUTOR;

  /** How a user's executor deals with a task, where it does not simply run it. */
  enum Conduct {
    REFUSES,
    THROWS,
    THROWS_AN_ERROR,
    DROPS,
    RUNS_IT_HERE,
    BEGINS_LATE
  }

  /** Whether what goes wrong here must not change which ending it is. */
  boolean keepsTheEnding() {
    return this == LOGGER_AT_TRANSITION
        || this == LOGGER_AT_LISTENER
        || this == LISTENER
        || this == CANCELLER;
  }

  boolean hasListener() {
    return this == LISTENER || this == LOGGER_AT_LISTENER;
  }

  boolean logs() {
    return this == LOGGER_AT_TRANSITION || this == LOGGER_AT_LISTENER;
  }

  /** Whether it is passed in this ending at all. */
  boolean isPassedIn(InjectedEnding ending) {
    return switch (this) {
      case LOGGER_AT_TRANSITION -> ending.trips();
      case CANCELLER -> ending.holdsWork();
      default -> true;
    };
  }

  /**
   * Whether a call comes by it at any door and ending. Work that stays on its caller's thread needs
   * no context; a stream does not stay there, but has one attempt only.
   */
  boolean isPassedBy(InjectedMeans means, Way way) {
    return this != PROPAGATOR || way != Way.SEMAPHORE || means == InjectedMeans.ONE_ATTEMPT;
  }

  /** How many steps a call passes here, where they are few: all of them are to be played. */
  int steps() {
    return switch (this) {
      case LOGGER_AT_TRANSITION -> 3; // of a trial: opened before it, half open, closed
      case CANCELLER -> 1;
      default -> Integer.MAX_VALUE;
    };
  }

  /** Whether another thread passes it, for which neither the caller nor the ending waits. */
  boolean isPassedApart() {
    return this == LOGGER_AT_TRANSITION || this == CANCELLER;
  }

  /** Whether what blocks comes after the ending is published: nobody's answer waits for it. */
  boolean isAfterTheEnding(Trap trap) {
    String where = trap.where();
    return this == LOGGER_AT_TRANSITION
        || where.startsWith("success in")
        || where.startsWith("error in")
        || where.startsWith("cancel in")
        || where.startsWith("transition in");
  }

  /** Whether the step that blocks may hold up the answer: it is the call's own. */
  boolean mayHoldUp(InjectedDoor door, InjectedEnding ending, Trap trap, boolean onCallersThread) {
    if (this == TICKER) {
      return true; // nobody can be on time without a clock
    }
    if (isAfterTheEnding(trap)) {
      // a report waits for its command's share, which may be the thread that blocks
      return door.callsUserCode() && this == LISTENER && !trap.where().startsWith("transition in");
    }
    if (this == LOGGER_AT_LISTENER) { // at which of its steps is not known
      return onCallersThread || ending.hasFallback() || door.callsUserCode();
    }
    if (door == InjectedDoor.STREAM
        && (this == LISTENER
                && (trap.where().startsWith("thread end in")
                    || trap.where().startsWith("work success in"))
            || this == PROPAGATOR && trap.where().startsWith("close in"))) {
      // it leaves the thread on which it subscribed before it listens to the end; and at the end
      // its item has come: that was its only limit
      return true;
    }
    boolean atFallback = // which has no deadline
        ending.hasFallback()
            && (this == PROPAGATOR
                || trap.where().startsWith("fallback start in")
                || trap.where().startsWith("fallback emit in"));
    return onCallersThread || atFallback;
  }

  /**
   * What goes wrong at a step: everything; or one thing, another one at each step, door and ending,
   * where there is no time for more.
   */
  static Mishap[] mishaps(int rotation, boolean all) {
    if (all) {
      return Mishap.values();
    }
    boolean blocks = rotation % 2 == 0;
    return new Mishap[] {blocks ? Mishap.BLOCKING : Mishap.values()[rotation / 2 % 3]};
  }
}
