// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.internal.timeout.Timeout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The states of one execution, in one word, so that every race between its work, its deadline and
 * its caller is decided by one CAS.
 *
 * <pre>
 *   answer:  PENDING -claim-> CLAIMED -decided-> DECIDED -----------------------------publish-> ANSWERED
 *                                                    \                                            ^
 *                                                     openFallback-> FALLBACK                     |
 *                                                                       \                         |
 *                                         claimFallback-> CLAIMED -decidedFinally-> FINAL -publish-/
 *   retry:   DECIDED -openRetry-> RETRYING -claimRetry-> CLAIMED -decided-> DECIDED (then as before)
 *            PENDING -openAttempts-> RETRYING
 *   work:    (nothing) -launch-> LAUNCHED -begin-> BEGUN -stop-> STOPPED
 * </pre>
 *
 * <p>The thread that wins {@code claim} owns the ending. It writes the answer at once, by plain
 * stores that cannot fail, and says so by {@code decided}; from then on any thread may publish it,
 * should the owner be held up or die. Nothing that may throw or wait stands between the two. The
 * fields of the ending are read by others only after they have seen DECIDED or a later phase. What
 * a fallback has decided is FINAL: no thread opens it to a fallback again.
 *
 * <p>While it is RETRYING, its first attempt has ended, and further ones, which are executions of
 * their own, are to come or under way: it is claimed again by the last of them. Where each attempt
 * has a time-out, the first is an execution of its own as well.
 *
 * <p>The two rows are independent, because an execution that was answered may still be busy. {@code
 * begin} needs PENDING, so work that has not begun when the ending is claimed never runs.
 */
public abstract class ExecutionState extends Timeout {

  private static final int PENDING = 0;
  private static final int CLAIMED = 1;
  private static final int DECIDED = 2;
  private static final int FALLBACK = 3;
  private static final int ANSWERED = 4;
  private static final int FINAL = 5;
  private static final int RETRYING = 6;
  private static final int PHASE = 7;

  /** It passed the gates, and holds what it took there. */
  private static final int LAUNCHED = 1 << 3;

  /** The work runs, or ran. */
  private static final int BEGUN = 1 << 4;

  /** The work runs no more. */
  private static final int STOPPED = 1 << 5;

  /** A thread of ours is at its work: an interrupt now is meant for this call. */
  private static final int INTERRUPTIBLE = 1 << 6;

  /**
   * Another thread is about to interrupt the worker, which waits for the interrupt before it goes
   * on to other work (as FutureTask does).
   */
  private static final int INTERRUPTING = 1 << 7;

  /** The worker was interrupted on behalf of this execution. */
  private static final int INTERRUPTED = 1 << 8;

  /** Answered by another thread than the work's, while the work was still busy. */
  private static final int ABANDONED_RUNNING = 1 << 9;

  /** The fallback runs on a thread of ours. */
  private static final int AT_FALLBACK = 1 << 10;

  /** Answered while the fallback was still busy on a thread of ours. */
  private static final int ABANDONED_FALLBACK = 1 << 11;

  /** What its caller is answered with is counted, or being counted. */
  private static final int ACCOUNTED = 1 << 17;

  /** Listeners were notified of its start: they will be notified of its ending. */
  private static final int START_REPORTED = 1 << 12;

  /** Listeners were notified that its work starts. */
  private static final int WORK_REPORTED = 1 << 13;

  /** Listeners were notified that its work is on a thread of ours, and not yet of its end there. */
  private static final int THREAD_REPORTED = 1 << 14;

  /** Listeners were notified that its fallback starts. */
  private static final int FALLBACK_REPORTED = 1 << 15;

  /** It is answered: the ending is reported as soon as no thread is reporting a step. */
  private static final int ENDING_DUE = 1 << 16;

  /** Listeners were notified that it shares a run: they will be notified of its end. */
  private static final int HIT_REPORTED = 1 << 18;

  /** It was given up when its ending was decided already: no further attempt may follow that. */
  private static final int UNWANTED = 1 << 19;

  /** Given up while the work was busy, whose thread has given back by now what it held. */
  private static final int LEFT = 1 << 20;

  /** The rest of the word: how many threads are reporting a step to listeners. */
  private static final int REPORTERS_AT = 21;

  private static final int REPORTER = 1 << REPORTERS_AT;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(ExecutionState.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
    link();
  }

  private volatile int state;

  /**
   * Written by the worker before its CAS to BEGUN, read by threads that have seen BEGUN, ordered by
   * that CAS. Null where an interrupt would reach the wrong thread.
   */
  private @Nullable Thread worker;

  ExecutionState(long deadlineNanos) {
    super(deadlineNanos);
  }

  /**
   * Goes through the steps once, for nothing. The JVM takes memory for the first call of each kind
   * on a handle, and for the classes of the answers; later, between a claim and its publication,
   * there may be none.
   */
  private static void link() {
    ExecutionState none =
        new ExecutionState(0) {
          @Override
          protected void expired() {}
        };
    boolean claimed = none.claim() == Claim.BEFORE_LAUNCH;
    none.decided();
    boolean atFallback = none.openFallback() && none.fallbackBegins();
    boolean busy = none.claimFallback() == FallbackClaim.DURING_FALLBACK && none.fallbackEnds();
    none.decidedFinally();
    boolean reported = none.reportBegins() && !none.reportEnds() && !none.endingDue();
    none.threadReported();
    boolean published = none.takeThreadReported() && none.takeAccount() && none.publish();
    boolean stopped = none.stop() == Stop.IN_TIME;
    STATE.getAndBitwiseXor(none, INTERRUPTING);
    if (!(claimed && atFallback && busy && reported && published && stopped)) {
      throw new AssertionError("an execution that goes through all of its states: " + none.state);
    }
  }

  /**
   * The way in is done; from now on a thread that claims the ending before the work began gives
   * back the permits. False if the ending was claimed already.
   */
  public final boolean launch() {
    return STATE.compareAndSet(this, PENDING, LAUNCHED)
        || STATE.compareAndSet(this, START_REPORTED, START_REPORTED | LAUNCHED)
        || STATE.compareAndSet(this, HIT_REPORTED, HIT_REPORTED | LAUNCHED);
  }

  /** Asks whether the work may run, on the thread that would run it. */
  final boolean begin(@Nullable Thread interruptible) {
    worker = interruptible;
    int reported = state & START_REPORTED; // before launch, so it changes no more
    int begun = reported | LAUNCHED | BEGUN | (interruptible == null ? 0 : INTERRUPTIBLE);
    return STATE.compareAndSet(this, reported | LAUNCHED, begun);
  }

  /** What {@link #claim} found. */
  public enum Claim {
    /** Another thread had it. */
    LOST,
    /** Its caller is still at the gates, and will find out there. */
    BEFORE_LAUNCH,
    /** It waits for a thread; it never begins, so the claimer gives back its permits. */
    BEFORE_WORK,
    /** The work is busy, and from now on nothing waits for it. */
    DURING_WORK,
    /** The work has stopped. */
    AFTER_WORK
  }

  /** Claims the one ending. */
  public final Claim claim() {
    while (true) {
      int seen = state;
      if ((seen & PHASE) != PENDING) {
        return Claim.LOST;
      }
      boolean busy = (seen & BEGUN) != 0 && (seen & STOPPED) == 0;
      if (STATE.compareAndSet(this, seen, seen | CLAIMED | (busy ? ABANDONED_RUNNING : 0))) {
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

  /** The owner of the ending has written the answer: from now on any thread may publish it. */
  public final void decided() {
    decided(DECIDED);
  }

  /** As {@link #decided}, after {@link #claimFallback}: no fallback replaces that answer. */
  final void decidedFinally() {
    decided(FINAL);
  }

  private void decided(int phase) {
    int seen;
    do {
      seen = state; // only other bits can change meanwhile: the phase is the owner's
    } while (!STATE.compareAndSet(this, seen, seen & ~PHASE | phase));
  }

  private static boolean isPublishable(int seen) {
    int phase = seen & PHASE;
    return phase == DECIDED || phase == FINAL;
  }

  /** Whether the calling thread is the one to count the answer, which no fallback replaces then. */
  final boolean takeAccount() {
    while (true) {
      int seen = state;
      if (!isPublishable(seen) || (seen & ACCOUNTED) != 0) {
        return false;
      }
      if (STATE.compareAndSet(this, seen, seen | ACCOUNTED)) {
        return true;
      }
    }
  }

  /** Whether a thread counts the answer, or has: it is about to publish it. */
  final boolean isAccounted() {
    return (state & ACCOUNTED) != 0;
  }

  /**
   * Offers the decided ending to a fallback. By its owner, or by a thread that takes the owner for
   * lost. False if it was published meanwhile, or is about to be.
   */
  final boolean openFallback() {
    while (true) {
      int seen = state;
      if ((seen & PHASE) != DECIDED || (seen & ACCOUNTED) != 0) {
        return false;
      }
      if (STATE.compareAndSet(this, seen, seen & ~PHASE | FALLBACK)) {
        return true;
      }
    }
  }

  /**
   * Leaves the decided ending to further attempts. By its owner. False if it was published
   * meanwhile, or is about to be, or if no thread wants further attempts.
   */
  public final boolean openRetry() {
    while (true) {
      int seen = state;
      if ((seen & PHASE) != DECIDED || (seen & (ACCOUNTED | UNWANTED)) != 0) {
        return false;
      }
      if (STATE.compareAndSet(this, seen, seen & ~PHASE | RETRYING)) {
        return true;
      }
    }
  }

  /**
   * On the way in: leaves all of the work to attempts that are executions of their own. False if
   * the ending is claimed.
   */
  public final boolean openAttempts() {
    while (true) {
      int seen = state;
      if ((seen & PHASE) != PENDING) {
        return false;
      }
      if (STATE.compareAndSet(this, seen, seen | RETRYING)) {
        return true;
      }
    }
  }

  /** Claims the ending again: by the last attempt, or by a thread that wants no further one. */
  public final boolean claimRetry() {
    while (true) {
      int seen = state;
      if ((seen & PHASE) != RETRYING) {
        return false;
      }
      if (STATE.compareAndSet(this, seen, seen & ~PHASE | CLAIMED)) {
        return true;
      }
    }
  }

  /** Whether further attempts are to come, or one is under way. */
  public final boolean isRetrying() {
    return (state & PHASE) == RETRYING;
  }

  /** An ending that is not left to further attempts by now never is. */
  public final void refuseRetry() {
    STATE.getAndBitwiseOr(this, UNWANTED);
  }

  /** Whether {@link #refuseRetry} was called: no further attempt can come. */
  public final boolean isRetryRefused() {
    return (state & UNWANTED) != 0;
  }

  /** Lets every thread see the ending. False if another thread did. */
  final boolean publish() {
    while (true) {
      int seen = state;
      if (!isPublishable(seen)) {
        return false;
      }
      if (STATE.compareAndSet(this, seen, seen & ~PHASE | ANSWERED)) {
        return true;
      }
    }
  }

  /** What {@link #claimFallback} found. */
  enum FallbackClaim {
    /** Another thread had it. */
    LOST,
    /** The fallback is not running, or runs on its caller's own thread. */
    IDLE,
    /** The fallback is busy on a thread of ours, and from now on nothing waits for it. */
    DURING_FALLBACK
  }

  /** Claims the ending a second time: by the fallback's end, or by a thread that gives it up. */
  final FallbackClaim claimFallback() {
    while (true) {
      int seen = state;
      if ((seen & PHASE) != FALLBACK) {
        return FallbackClaim.LOST;
      }
      boolean busy = (seen & AT_FALLBACK) != 0;
      int next = seen & ~PHASE | CLAIMED | (busy ? ABANDONED_FALLBACK : 0);
      if (STATE.compareAndSet(this, seen, next)) {
        return busy ? FallbackClaim.DURING_FALLBACK : FallbackClaim.IDLE;
      }
    }
  }

  /** A thread of ours begins the fallback. False if the ending was claimed meanwhile. */
  final boolean fallbackBegins() {
    while (true) {
      int seen = state;
      if ((seen & PHASE) != FALLBACK) {
        return false;
      }
      if (STATE.compareAndSet(this, seen, seen | AT_FALLBACK)) {
        return true;
      }
    }
  }

  /**
   * The thread of ours has ended the fallback. Whether that was busy although the call had been
   * answered.
   */
  final boolean fallbackEnds() {
    int seen = (int) STATE.getAndBitwiseAnd(this, ~AT_FALLBACK);
    return (seen & ABANDONED_FALLBACK) != 0;
  }

  /** What {@link #stop} found. */
  enum Stop {
    /** It had stopped before. */
    AGAIN,
    /** The execution is not answered yet, or was answered by the work. */
    IN_TIME,
    /** It was answered while the work was busy. */
    ABANDONED_RUNNING
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
      } else if (STATE.compareAndSet(this, seen, seen & ~(INTERRUPTIBLE | INTERRUPTED) | STOPPED)) {
        clearInterrupt(seen);
        return (seen & ABANDONED_RUNNING) != 0 ? Stop.ABANDONED_RUNNING : Stop.IN_TIME;
      }
    }
  }

  /** The work goes on without its thread, which may be interrupted for this call no more. */
  final void leaveThread() {
    while (true) {
      int seen = state;
      if ((seen & INTERRUPTIBLE) == 0) {
        return;
      }
      if ((seen & INTERRUPTING) != 0) {
        Thread.yield(); // as in stop
      } else if (STATE.compareAndSet(this, seen, seen & ~(INTERRUPTIBLE | INTERRUPTED))) {
        clearInterrupt(seen);
        return;
      }
    }
  }

  private void clearInterrupt(int seen) {
    if ((seen & INTERRUPTED) != 0 && Thread.currentThread() == worker) {
      boolean unused = Thread.interrupted();
    }
  }

  /**
   * Whether the calling thread is the one of ours that is, or was, at this execution's work: it is
   * compared with itself only, which needs no order.
   */
  public final boolean isOnWorker() {
    return Thread.currentThread() == worker;
  }

  /** Whether a thread of ours is at this execution's work. */
  final boolean isOnInterruptibleThread() {
    return (state & INTERRUPTIBLE) != 0;
  }

  /**
   * Interrupts the thread of ours that is at this execution's work, if there is one; it cannot hit
   * what the thread does next.
   */
  final void interruptWork() {
    while (true) {
      int seen = state;
      if ((seen & INTERRUPTIBLE) == 0 || (seen & INTERRUPTING) != 0) {
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

  /** Whether the way in is done. */
  public final boolean isLaunched() {
    return (state & LAUNCHED) != 0;
  }

  /** Whether the work began. */
  final boolean hasBegun() {
    return (state & BEGUN) != 0;
  }

  /** Whether the ending is claimed. */
  public final boolean isClaimed() {
    return (state & PHASE) != PENDING;
  }

  /** Whether the ending waits for its fallback, or is at it. */
  public final boolean isAtFallback() {
    return (state & PHASE) == FALLBACK;
  }

  /** Whether the answer is written, and neither published nor offered to a fallback so far. */
  final boolean isDecidedFirst() {
    return (state & PHASE) == DECIDED;
  }

  /** Whether the answer is written, and neither published nor with a fallback now. */
  public final boolean isUnpublished() {
    return isPublishable(state);
  }

  /** Whether the ending is published. */
  public final boolean isAnswered() {
    return (state & PHASE) == ANSWERED;
  }

  /** Whether nothing waits for the work any more, although it has not stopped. */
  final boolean isAbandonedRunning() {
    int seen = state;
    return (seen & PHASE) != PENDING && (seen & STOPPED) == 0;
  }

  /**
   * Whether nothing has waited for the work any more since a moment at which it had not stopped.
   * Unlike {@link #isAbandonedRunning} this stays true when the work stops: what it has left behind
   * may go on, and ask.
   */
  final boolean wasAbandonedRunning() {
    int seen = state;
    return (seen & PHASE) != PENDING && ((seen & STOPPED) == 0 || (seen & ABANDONED_RUNNING) != 0);
  }

  /** Whether the work runs no more. */
  public final boolean hasStopped() {
    return (state & STOPPED) != 0;
  }

  /** The work of a call that was given up has stopped, and holds nothing any more. */
  final void left() {
    STATE.getAndBitwiseOr(this, LEFT);
  }

  /**
   * Whether the work has stopped, on its caller's own thread, and holds nothing any more. That
   * thread gives it back before it claims the ending, or says so by {@link #left}. Only where
   * another claims the ending between the work's stop and that, as closing does when user code has
   * judged the result for too long, this is true before.
   */
  public final boolean hasLeft() {
    int seen = state;
    int last = (seen & ABANDONED_RUNNING) != 0 ? LEFT : PHASE;
    return (seen & STOPPED) != 0 && (seen & last) != 0;
  }

  /**
   * On the way in: this thread is about to notify listeners of the start, as of any other step.
   * False if the ending was claimed before: then the call is not reported at all.
   */
  final boolean startBegins() {
    while (true) {
      int seen = state;
      if ((seen & PHASE) != PENDING) {
        return false;
      }
      if (STATE.compareAndSet(this, seen, (seen | START_REPORTED) + REPORTER)) {
        return true;
      }
    }
  }

  /** On the caller's thread: listeners are notified that it shares a run, which may have ended. */
  final void hitBegins() {
    while (true) {
      int seen = state;
      if (STATE.compareAndSet(this, seen, (seen | HIT_REPORTED) + REPORTER)) {
        return;
      }
    }
  }

  /** Whether listeners were notified of its start while it had no ending. */
  final boolean isStartReported() {
    return (state & START_REPORTED) != 0;
  }

  /** On the work's thread: listeners are notified that the work starts. */
  final void workReported() {
    STATE.getAndBitwiseOr(this, WORK_REPORTED);
  }

  /** Whether listeners were notified that the work starts. */
  final boolean isWorkReported() {
    return (state & WORK_REPORTED) != 0;
  }

  /** On the work's thread: listeners are notified that the work is on a thread of ours. */
  final void threadReported() {
    STATE.getAndBitwiseOr(this, THREAD_REPORTED);
  }

  /** On the fallback's thread: listeners are notified that the fallback starts. */
  final void fallbackReported() {
    STATE.getAndBitwiseOr(this, FALLBACK_REPORTED);
  }

  /** Whether listeners were notified that the fallback starts. */
  final boolean isFallbackReported() {
    return (state & FALLBACK_REPORTED) != 0;
  }

  /** Whether listeners are to be notified of the thread's end: true once. */
  final boolean takeThreadReported() {
    return ((int) STATE.getAndBitwiseAnd(this, ~THREAD_REPORTED) & THREAD_REPORTED) != 0;
  }

  /**
   * This thread is about to notify listeners of a step that does not belong to the owner of the
   * ending. False if it must not: the ending was reported, or is the next that is reported.
   */
  final boolean reportBegins() {
    while (true) {
      int seen = state;
      if ((seen & ENDING_DUE) != 0) {
        return false;
      }
      if (STATE.compareAndSet(this, seen, seen + REPORTER)) {
        return true;
      }
    }
  }

  /** This thread has notified listeners of its step. True if it has to report the ending, too. */
  final boolean reportEnds() {
    int left = (int) STATE.getAndAdd(this, -REPORTER) - REPORTER;
    return left >>> REPORTERS_AT == 0 && (left & ENDING_DUE) != 0;
  }

  /**
   * By the thread that published the ending: it may be reported. False if threads are reporting a
   * step, perhaps this very thread further up its stack: the last of them reports the ending. False
   * also if no listener was notified of it.
   */
  final boolean endingDue() {
    int seen = (int) STATE.getAndBitwiseOr(this, ENDING_DUE);
    return seen >>> REPORTERS_AT == 0 && (seen & (START_REPORTED | HIT_REPORTED)) != 0;
  }

  /**
   * For the timer: an execution that is answered, or at its fallback, needs its deadline no more.
   * With a claimed ending it may still need it: the owner may have died.
   */
  @Override
  protected final boolean isEnded() {
    int phase = state & PHASE;
    return phase >= FALLBACK && phase != RETRYING;
  }
}
