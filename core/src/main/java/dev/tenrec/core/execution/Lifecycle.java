// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.timeout.Timeout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The states of one execution, in one word, so that every race between its work, its deadline and
 * its caller is decided by one CAS.
 *
 * <pre>
 *   answer:  PENDING --claim--> DECIDED --openFallback--> FALLBACK --claimFallback--> DECIDED --publish--> ANSWERED
 *                                  \--------------------------------------------------------------------^
 *   work:    (nothing) --launch--> LAUNCHED --begin--> BEGUN --stop--> STOPPED
 * </pre>
 *
 * <p>Who wins {@code claim} owns the ending: its fields are written by that thread alone, and read
 * by others only after they have seen FALLBACK or ANSWERED. The two rows are independent, because
 * an execution that was answered may still be busy. {@code begin} needs PENDING, so work whose
 * ending was claimed before it began never runs.
 */
abstract class Lifecycle extends Timeout {

  private static final int PENDING = 0;
  private static final int DECIDED = 1;
  private static final int FALLBACK = 2;
  private static final int ANSWERED = 3;
  private static final int PHASE = 3;

  /** It passed the gates, and holds what it took there. */
  private static final int LAUNCHED = 1 << 2;

  /** The work runs, or ran. */
  private static final int BEGUN = 1 << 3;

  /** The work runs no more: what interrupts this thread from now on is not meant for it. */
  private static final int STOPPED = 1 << 4;

  /**
   * Somebody is about to interrupt the worker; it waits for that before it goes on to other work
   * (as FutureTask does).
   */
  private static final int INTERRUPTING = 1 << 5;

  /** The worker was interrupted on behalf of this execution. */
  private static final int INTERRUPTED = 1 << 6;

  /** Answered by another than the work, while the work was still busy. */
  private static final int FORSAKEN = 1 << 7;

  /** Listeners were told of its start: they will be told of its ending. */
  private static final int START_TOLD = 1 << 8;

  /** They were told that its work starts. */
  private static final int WORK_TOLD = 1 << 9;

  /** They were told that its work is on a thread of ours, and not yet of its end there. */
  private static final int THREAD_TOLD = 1 << 10;

  /** All but their ending is told, or being told: who is at the last of it tells that one. */
  private static final int ENDING_DUE = 1 << 11;

  /** The rest of the word: how many are telling listeners a step. */
  private static final int TELLERS_AT = 12;

  private static final int TELLER = 1 << TELLERS_AT;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Lifecycle.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile int state;

  /**
   * Written by the worker before its CAS to BEGUN, read by who saw BEGUN; null where an interrupt
   * would reach the wrong thread.
   */
  private @Nullable Thread worker;

  Lifecycle(long deadlineNanos) {
    super(deadlineNanos);
  }

  /**
   * The way in is done; from now on whoever claims an ending before the work began gives back the
   * permits. False: claimed already.
   */
  final boolean launch() {
    return STATE.compareAndSet(this, PENDING, LAUNCHED)
        || STATE.compareAndSet(this, START_TOLD, START_TOLD | LAUNCHED);
  }

  /** Asks whether the work may run, on the thread that would run it. */
  final boolean begin(@Nullable Thread interruptible) {
    worker = interruptible;
    int told = state & START_TOLD; // before launch, so it changes no more
    return STATE.compareAndSet(this, told | LAUNCHED, told | LAUNCHED | BEGUN);
  }

  /** What {@link #claim} found. */
  enum Claim {
    /** Somebody else had it. */
    LOST,
    /** Its caller is still at the gates, and will find out there. */
    BEFORE_LAUNCH,
    /** It waits for a thread; it never begins, so the claimer gives back its permits. */
    BEFORE_WORK,
    /** The work is busy, and is so from now on for nobody. */
    DURING_WORK,
    /** The work has stopped. */
    AFTER_WORK
  }

  /** Claims the one ending. */
  final Claim claim() {
    while (true) {
      int seen = state;
      if ((seen & PHASE) != PENDING) {
        return Claim.LOST;
      }
      boolean busy = (seen & BEGUN) != 0 && (seen & STOPPED) == 0;
      if (STATE.compareAndSet(this, seen, seen | DECIDED | (busy ? FORSAKEN : 0))) {
        if (busy) {
          return Claim.DURING_WORK;
        }
        if ((seen & BEGUN) != 0) {
          return Claim.AFTER_WORK;
        }
        return (seen & LAUNCHED) != 0 ? Claim.BEFORE_WORK : Claim.BEFORE_LAUNCH;
      }
    }
  }

  /** The owner of the ending offers it to a fallback. */
  final void openFallback() {
    changePhase(FALLBACK);
  }

  /** Claims the ending a second time, after the fallback or, for a canceller, during it. */
  final boolean claimFallback() {
    while (true) {
      int seen = state;
      if ((seen & PHASE) != FALLBACK) {
        return false;
      }
      if (STATE.compareAndSet(this, seen, seen & ~PHASE | DECIDED)) {
        return true;
      }
    }
  }

  /** The owner of the ending lets everybody see it. */
  final void publish() {
    changePhase(ANSWERED);
  }

  private void changePhase(int phase) {
    int seen;
    do {
      seen = state; // only the work's own bits can change under us: the phase is the owner's
    } while (!STATE.compareAndSet(this, seen, seen & ~PHASE | phase));
  }

  /** What {@link #stop} found. */
  enum Stop {
    /** It had stopped before. */
    AGAIN,
    /** The execution is not answered yet, or was answered by the work. */
    IN_TIME,
    /** It was answered while the work was busy. */
    FORSAKEN
  }

  /**
   * The work runs no more. Waits for an interrupt that is on its way, and clears it if this is the
   * worker's own thread.
   */
  final Stop stop() {
    while (true) {
      int seen = state;
      if ((seen & STOPPED) != 0) {
        return Stop.AGAIN;
      }
      if ((seen & INTERRUPTING) != 0) {
        Thread.yield(); // the interrupter is between two instructions, or preempted there
      } else if (STATE.compareAndSet(this, seen, seen | STOPPED)) {
        if ((seen & INTERRUPTED) != 0) {
          Thread.interrupted();
        }
        return (seen & FORSAKEN) != 0 ? Stop.FORSAKEN : Stop.IN_TIME;
      }
    }
  }

  /**
   * Interrupts the worker if it is at this execution's work; it cannot hit what the thread does
   * next.
   */
  final void interruptWork() {
    while (true) {
      int seen = state;
      if ((seen & BEGUN) == 0 || (seen & (STOPPED | INTERRUPTING)) != 0) {
        return;
      }
      Thread thread = worker;
      if (thread == null) {
        return;
      }
      if (STATE.compareAndSet(this, seen, seen | INTERRUPTING)) {
        try {
          thread.interrupt();
        } finally {
          STATE.getAndBitwiseXor(this, INTERRUPTING | (seen & INTERRUPTED ^ INTERRUPTED));
        }
        return;
      }
    }
  }

  /** Whether the work began. */
  final boolean hasBegun() {
    return (state & BEGUN) != 0;
  }

  /** Whether the ending is claimed. */
  final boolean isDecided() {
    return (state & PHASE) != PENDING;
  }

  /** Whether the ending waits for its fallback, or is at it. */
  final boolean isAtFallback() {
    return (state & PHASE) == FALLBACK;
  }

  /** Whether the ending is published. */
  final boolean isAnswered() {
    return (state & PHASE) == ANSWERED;
  }

  /** Whether nobody waits for the work any more, although it has not stopped. */
  final boolean isForsaken() {
    int seen = state;
    return (seen & PHASE) != PENDING && (seen & STOPPED) == 0;
  }

  /** Whether the work runs no more. */
  final boolean hasStopped() {
    return (state & STOPPED) != 0;
  }

  /**
   * Listeners were told of the start, on the way in. False if its ending was claimed meanwhile:
   * nobody will tell them of that one, because it was not to come before its start.
   */
  final boolean startTold() {
    while (true) {
      int seen = state;
      if ((seen & PHASE) != PENDING) {
        return false;
      }
      if (STATE.compareAndSet(this, seen, seen | START_TOLD)) {
        return true;
      }
    }
  }

  /** Whether listeners were told of its start while it had no ending. */
  final boolean isStartTold() {
    return (state & START_TOLD) != 0;
  }

  /** On the work's thread: listeners are told that the work starts. */
  final void workTold() {
    STATE.getAndBitwiseOr(this, WORK_TOLD);
  }

  /** Whether they were. */
  final boolean isWorkTold() {
    return (state & WORK_TOLD) != 0;
  }

  /** On the work's thread: listeners are told that it is on one of ours. */
  final void threadTold() {
    STATE.getAndBitwiseOr(this, THREAD_TOLD);
  }

  /** Whether they are to be told of the thread's end: true once. */
  final boolean takeThreadTold() {
    return ((int) STATE.getAndBitwiseAnd(this, ~THREAD_TOLD) & THREAD_TOLD) != 0;
  }

  /**
   * This thread is about to tell listeners a step that does not belong to the owner of the ending.
   * False: it must not, the ending has been or is to be the next that they hear.
   */
  final boolean tellingBegins() {
    while (true) {
      int seen = state;
      if ((seen & ENDING_DUE) != 0) {
        return false;
      }
      if (STATE.compareAndSet(this, seen, seen + TELLER)) {
        return true;
      }
    }
  }

  /** They are told. True: it is for this thread to tell them of the ending, too. */
  final boolean tellingEnds() {
    int left = (int) STATE.getAndAdd(this, -TELLER) - TELLER;
    return left >>> TELLERS_AT == 0 && (left & ENDING_DUE) != 0;
  }

  /**
   * By the owner of the ending: it may be told. False if a step is being told, perhaps by this very
   * thread further up its stack: nobody waits, and who tells it goes on with the ending.
   */
  final boolean endingDue() {
    return ((int) STATE.getAndBitwiseOr(this, ENDING_DUE)) >>> TELLERS_AT == 0;
  }

  /** For the timer: a decided execution needs its deadline no more. */
  @Override
  protected final boolean isEnded() {
    return isDecided();
  }
}
