// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.internal.breaker.CircuitBreaker;
import dev.tenrec.core.internal.breaker.Permission;
import dev.tenrec.core.internal.gate.HealthCheck;
import dev.tenrec.core.internal.gate.Plan;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.internal.CommandMetrics;
import org.jspecify.annotations.Nullable;

/**
 * Writes down how an execution ended: counts, latencies, and what the breaker should know of it. On
 * the thread that ended it, before any thread sees the answer.
 *
 * <p>There is no thread for metrics: the thread that finds a bucket or a look at the health due
 * does it, and the others go on, unless a bucket may be late. Buckets roll before the recording, so
 * that what comes after a boundary is not counted before it. An error or a slow call that ends when
 * no look is due, or while another thread looks, may be the last call for long: its thread sees to
 * it that the timer looks.
 */
public final class OutcomeRecorder implements HealthCheck {

  /**
   * After this time the timer's thread comes again, if another thread was reading the metrics when
   * it came to look: it does not wait.
   */
  private static final long RETRY_NANOS = 1_000_000;

  static { // the class of its switches: see LoadedEarly
    boolean unused = isBad(EventType.SUCCESS);
  }

  private final CommandRuntime runtime;
  private final CommandMetrics metrics;
  private final CircuitBreaker breaker;

  /** Of a runtime that has its metrics and its breaker already. */
  OutcomeRecorder(CommandRuntime runtime) {
    this.runtime = runtime;
    this.metrics = runtime.metrics;
    this.breaker = runtime.breaker;
  }

  /**
   * A success on the caller's own thread, where both latencies are one: recorded with a single add.
   */
  void succeededHere(Plan plan, Permission permission, long nanos, long now) {
    boolean due = metrics.isDue(now);
    if (due) {
      metrics.roll(now);
    }
    metrics.recordSuccess(nanos);
    boolean slow = nanos >= plan.slowNanos;
    if (slow) {
      metrics.countSlow();
    }
    if (!breaker.isUndisturbed(permission)) {
      notifyBreaker(permission, EventType.SUCCESS, slow, now);
    }
    if (due || slow) {
      lookOrLeaveIt(due, slow, now);
    }
  }

  /**
   * A failure on the caller's own thread that a value answers at once: both latencies are one here,
   * too, and both events are counted with a single add.
   */
  void failedHereAndServed(Permission permission, long nanos, long now) {
    boolean due = metrics.isDueAfterError(now);
    if (due) {
      metrics.roll(now);
    }
    metrics.countFailedServed();
    metrics.recordExecution(nanos);
    metrics.recordCaller(nanos);
    if (!breaker.isUndisturbed(permission)) {
      notifyBreaker(permission, EventType.FAILURE, false, now);
    }
    if (due || !metrics.isLookComing()) {
      lookOrLeaveIt(due, true, now);
    }
  }

  /**
   * Why the work answered, or did not.
   *
   * @param event SUCCESS, FAILURE, TIMEOUT, DEADLINE_EXCEEDED, BAD_REQUEST, CANCELLED, or a refusal
   * @param executionNanos how long the work took, -1 if it did not begin
   */
  public void decided(
      Plan plan, Permission permission, EventType event, long executionNanos, long now) {
    decided(plan, permission, event, null, executionNanos, now);
  }

  /**
   * As {@link #decided(Plan, Permission, EventType, long, long)}.
   *
   * @param cause of a time-out: it says which limit was passed, if that is another than the
   *     command's; may be null
   */
  void decided(
      Plan plan,
      Permission permission,
      EventType event,
      @Nullable Throwable cause,
      long executionNanos,
      long now) {
    boolean bad = isBad(event);
    boolean due = bad ? metrics.isDueAfterError(now) : metrics.isDue(now);
    if (due) {
      metrics.roll(now);
    }
    metrics.count(event);
    if (executionNanos >= 0) {
      metrics.recordExecution(executionNanos);
    }
    if (event == EventType.TIMEOUT) {
      runtime.timedOut(plan, cause, executionNanos, now);
    } else if (event == EventType.DEADLINE_EXCEEDED) {
      runtime.beyondDeadline(plan, executionNanos, now);
    }
    boolean slow = event == EventType.SUCCESS && executionNanos >= plan.slowNanos;
    if (slow) {
      metrics.countSlow();
    }
    if (!breaker.isUndisturbed(permission)) {
      notifyBreaker(permission, event, slow, now);
    }
    if (due || bad || slow) {
      lookOrLeaveIt(due, bad || slow, now);
    }
  }

  /** The circuit refuses a call on its caller's own thread: it is counted with its answer. */
  void refusesHere(long now) {
    if (metrics.isDue(now) && !look(now)) { // which closes the bucket as well
      metrics.roll(now);
    }
  }

  /** The answer of a call that the circuit refused: both are counted with a single add. */
  void refusedHereAndServed() {
    metrics.countRefusedServed();
  }

  /**
   * A call that the circuit refused, and that its fallback did not answer.
   *
   * @param why the fallback's own event
   */
  void refusedHereAndThrown(EventType why) {
    if (why == EventType.FALLBACK_MISSING) {
      metrics.countRefusedThrown();
    } else {
      metrics.count(EventType.SHORT_CIRCUITED);
      metrics.count(why);
      metrics.count(EventType.EXCEPTION_THROWN);
    }
  }

  /**
   * What the caller was answered with.
   *
   * @param answer FALLBACK_SUCCESS, EXCEPTION_THROWN or CANCELLED; null for a success, which is
   *     counted already
   * @param callerNanos how long it waited, -1 if it did not pass the gates
   * @param now when it was answered: a fallback may have outlasted a bucket
   */
  void answered(@Nullable EventType answer, long callerNanos, long now) {
    rollIfDue(now);
    if (answer != null) {
      metrics.count(answer);
    }
    if (callerNanos >= 0) {
      metrics.recordCaller(callerNanos);
    }
  }

  /**
   * A call that the bulkhead rejected was answered by its fallback, on its caller's own thread: it
   * counts where it was rejected, for the clock is not read again.
   */
  void refusedAndServed() {
    metrics.count(EventType.FALLBACK_SUCCESS);
  }

  /** A call that the bulkhead rejected was not answered by its fallback, for this reason. */
  void refusedAndThrown(EventType why) {
    metrics.count(why);
    metrics.count(EventType.EXCEPTION_THROWN);
  }

  /**
   * A call that shared the run of another call ended by itself: an event as any other, but left out
   * of the health, because the run itself shows how the dependency does, and of the executions that
   * further attempts are a share of.
   */
  public void sharerEnded(EventType event, long now) {
    rollIfDue(now);
    metrics.count(event);
    if (isBad(event)) {
      metrics.countStale(true, false);
    }
    if (event == EventType.TIMEOUT || event == EventType.FAILURE) {
      metrics.countShared();
    }
  }

  /**
   * A retry or a hedge, which was counted as one, has ended with nothing that counts as an
   * execution: it takes no place in what further attempts are a share of.
   */
  public void furtherNotExecuted(long now) {
    rollIfDue(now);
    metrics.countFurtherNotExecuted();
  }

  /** An execution begins that answers for so many members of a batch. */
  void collapsed(int members, long now) {
    rollIfDue(now);
    metrics.count(EventType.COLLAPSED, members);
  }

  /**
   * An attempt was given up because another one of its call had come first. How long its work would
   * have taken is not known, only that it was out for so long: it is recorded with that, if that is
   * no less than what hedges wait for. So the share of calls that take longer than a hedge's delay
   * stays what it is; what was out for less says nothing of that share, and is left out.
   *
   * @param executionNanos how long the work was out, -1 if it did not begin
   * @param leastNanos what is recorded, from here on
   */
  public void outrun(
      Plan plan, Permission permission, long executionNanos, long leastNanos, long now) {
    boolean due = metrics.isDue(now);
    if (due) {
      metrics.roll(now);
    }
    metrics.count(EventType.ATTEMPT_OUTRUN);
    if (executionNanos >= leastNanos) {
      metrics.recordExecution(executionNanos);
    }
    boolean slow = executionNanos >= plan.slowNanos && breaker.isCurrent(permission);
    if (slow) { // as its call would have been
      metrics.countSlow();
    }
    if (due || slow) {
      lookOrLeaveIt(due, slow, now);
    }
  }

  /** An attempt is given up with its call, which counts that. A trial's place is free again. */
  void givenUp(Permission permission, long now) {
    if (!breaker.isUndisturbed(permission)) {
      breaker.released(permission, now);
    }
  }

  /**
   * Its caller has had enough of what the work brought. Among the counts that is a cancellation and
   * says nothing. But a trial that answered in part has succeeded: otherwise a circuit could not
   * close where every stream is cut short.
   */
  void cutShort(Permission permission, long now) {
    if (!breaker.isUndisturbed(permission)) {
      breaker.succeeded(permission, now);
    }
  }

  /** An item of a stream is passed on. */
  public void emitted(EventType event, long now) {
    boolean due = metrics.isDue(now);
    if (due) {
      metrics.roll(now);
    }
    metrics.count(event);
    if (due) { // a stream may be the only call there is, and last for long
      boolean unused = look(now);
    }
  }

  public void count(EventType event, long now) {
    rollIfDue(now);
    metrics.count(event);
  }

  private void rollIfDue(long now) {
    if (metrics.isDue(now)) {
      metrics.roll(now);
    }
  }

  /** Throws nothing for want of memory: the call is counted, and has yet to be answered. */
  private void notifyBreaker(Permission permission, EventType event, boolean slow, long now) {
    try {
      report(permission, event, slow, now);
    } catch (OutOfMemoryError e) { // for a transition
      runtime.failedToSettle(e);
    }
  }

  private void report(Permission permission, EventType event, boolean slow, long now) {
    switch (event) {
      case SUCCESS:
        countIfStale(permission, false, slow);
        if (slow) {
          breaker.failed(permission, now); // a trial as slow as what opened the circuit
        } else {
          breaker.succeeded(permission, now);
        }
        break;
      case FAILURE:
      case TIMEOUT:
        countIfStale(permission, true, false);
        breaker.failed(permission, now);
        break;
      default:
        breaker.released(permission, now);
    }
  }

  /** What began before the breaker's last transition counts for nothing. */
  private void countIfStale(Permission permission, boolean error, boolean slow) {
    if (!breaker.isCurrent(permission)) {
      metrics.countStale(error, slow);
    }
  }

  /**
   * Before a call that the closed circuit would let through: no thread has looked at the trouble
   * there was for too long.
   */
  @Override
  public void lookBeforeCall(long now) {
    if (runtime.isClosed()) { // the next gate refuses it
      return;
    }
    Permission seen = seenIfJudged();
    boolean unused = judge(seen, metrics.lookBeforeCall(now), now);
  }

  /**
   * On the timer's thread: no thread has looked by now, or other trouble came after the last look.
   */
  void armedLook() {
    if (!metrics.disarm() || !breaker.isClosed() || runtime.isClosed()) {
      return;
    }
    long now = runtime.engine.ticker().nanoTime();
    Permission seen = seenIfJudged();
    if (!judge(seen, metrics.lookArmed(now), now) && metrics.claimLook()) {
      arm(now + RETRY_NANOS);
    }
  }

  /**
   * After counting.
   *
   * @param due whether it is time to look
   * @param trouble whether what was counted was an error or a slow call, which a look has to see
   */
  private void lookOrLeaveIt(boolean due, boolean trouble, long now) {
    try {
      boolean looked = due && look(now);
      if (!looked && trouble && !metrics.isLookComing()) {
        leaveToTimer(now);
      }
    } catch (OutOfMemoryError e) { // for a transition; the call has yet to be answered
      runtime.failedToSettle(e);
    }
  }

  private void leaveToTimer(long now) {
    if (runtime.plan().breakerMode != Plan.BreakerMode.DISABLED
        && breaker.isClosed() // else trials decide, and the health begins anew after them
        && !runtime.isClosed()
        && metrics.claimLook()) {
      arm(metrics.armedLookNanos(now));
    }
  }

  /** The health interval has become shorter: so does the time until the armed look. */
  void hastenLook(long now) {
    if (metrics.disarm() && metrics.claimLook()) {
      arm(metrics.armedLookNanos(now)); // what was armed before comes as well, and finds it done
    }
  }

  private void arm(long deadlineNanos) {
    try {
      // false if it is closed: so is the command then, or will be
      boolean unused = runtime.engine.timer().arm(new ScheduledEvaluation(runtime, deadlineNanos));
    } catch (Throwable noThread) { // or no memory: the next call's admission still looks
      boolean unused = metrics.disarm();
    }
  }

  private boolean look(long now) {
    Permission seen = seenIfJudged();
    return judge(seen, metrics.lookAtHealth(now), now);
  }

  /**
   * The circuit's state, or null if it is not judged. Asked before a look: where the circuit is
   * switched on only then, what the look finds may be of the time before, which is not held against
   * it.
   */
  private @Nullable Permission seenIfJudged() {
    return isJudged() ? breaker.unrefused() : null;
  }

  /**
   * By the plan of now, whichever the call had that looks: the health opens no circuit that is
   * switched off by now, or whose command is closed, and does so where it is switched on by now.
   */
  private boolean isJudged() {
    Plan.BreakerMode mode = runtime.plan().breakerMode;
    return mode != Plan.BreakerMode.DISABLED && mode != Plan.BreakerMode.OVER;
  }

  /**
   * Opens the circuit if the health is bad.
   *
   * @param seen the state before the look, null if it was not judged then
   * @param health null if another thread was at it
   * @return whether there was a look
   */
  private boolean judge(@Nullable Permission seen, @Nullable HealthSnapshot health, long now) {
    if (health == null) {
      return false;
    }
    if (seen == null || !isJudged()) {
      return true;
    }
    if (breaker.isUndisturbed(seen)) {
      for (HealthSnapshot missed : metrics.takeMissed()) {
        breaker.evaluate(seen, missed, now);
        if (!breaker.isUndisturbed(seen)) { // by this one, or by another thread
          break;
        }
      }
    }
    breaker.evaluate(seen, health, now);
    return true;
  }

  private static boolean isBad(EventType event) {
    switch (event) {
      case FAILURE:
      case TIMEOUT:
      case THREAD_POOL_REJECTED:
      case SEMAPHORE_REJECTED:
        return true;
      default:
        return false;
    }
  }
}
