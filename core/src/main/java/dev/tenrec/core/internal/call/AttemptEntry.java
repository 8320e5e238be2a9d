// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.internal.breaker.CircuitBreaker;
import dev.tenrec.core.internal.breaker.Permission;
import dev.tenrec.core.internal.breaker.Refused;
import dev.tenrec.core.internal.context.CallContext;
import dev.tenrec.core.internal.gate.Plan;
import dev.tenrec.core.internal.gate.Rejected;
import org.jspecify.annotations.Nullable;

/**
 * The ways into a {@link Pipeline} for attempts that are executions of their own. A retry asks the
 * gates as a call does, and goes on like one. An attempt beside another one begins only if the
 * gates let it through.
 *
 * @param <A> what the command is called with
 * @param <R> what it returns
 */
public final class AttemptEntry<A extends @Nullable Object, R extends @Nullable Object> {

  private final Pipeline<A, R> pipeline;

  /** Into this pipeline. */
  public AttemptEntry(Pipeline<A, R> pipeline) {
    this.pipeline = pipeline;
  }

  /**
   * On the caller's thread, during the call: asks the gates. Completes the attempt exactly once,
   * possibly before this method returns, which it does at its end if the caller waits.
   */
  public void run(Execution<A, R> attempt, long now) {
    try {
      Permission permission = pipeline.enter(attempt, now);
      if (permission != null) {
        attempt.whole().admitted = true;
        pipeline.armAndStart(attempt, permission);
      }
    } catch (Throwable thrown) { // no memory for an exception or a transition
      pipeline.brokeOnTheWayIn(attempt, thrown);
    }
    if (attempt.callerStays) {
      CallerWait.untilAnswered(attempt, pipeline.runtime.engine);
    }
  }

  /**
   * As {@link #run}, on another thread or at another time: work that starts here has its context,
   * and so has the function that finds the rate's key.
   */
  public void runApart(Execution<A, R> attempt, long now) {
    Scope scope = pipeline.gates.limitRateByKey() ? open(attempt.context) : contextFor(attempt);
    try {
      run(attempt, now);
    } finally {
      close(scope);
    }
  }

  /**
   * The gates, for an attempt beside one that is under way. False if one of them refuses it, or
   * would let it through as a trial: then it holds nothing, and nothing has ended or is counted.
   * Throws what the function throws that finds the rate's key.
   */
  public boolean passesBeside(Execution<A, R> attempt, long now) {
    if (attempt.plan.breakerMode != Plan.BreakerMode.DISABLED
        && !pipeline.runtime.breaker.isClosed()) {
      // to ask it might make it half-open, for an attempt that is no trial: underneath as well,
      // where it only observes or is forced closed
      return false;
    }
    Permission permission = enterBeside(attempt, now);
    if (permission instanceof Refused || permission instanceof Rejected) {
      return false;
    }
    attempt.permission = permission;
    attempt.holdsPermit = true;
    if (CircuitBreaker.isTrial(permission)) {
      leavesBeside(attempt, now);
      return false;
    }
    return true;
  }

  private Permission enterBeside(Execution<A, R> attempt, long now) {
    if (!pipeline.gates.limitRateByKey()) {
      return pipeline.gates.enter(attempt.plan, attempt.argument(), now);
    }
    Scope scope = open(attempt.context);
    try {
      return pipeline.gates.enter(attempt.plan, attempt.argument(), now);
    } finally {
      close(scope);
    }
  }

  /** What {@link #passesBeside} let through does not begin: it gives back what it holds. */
  public void leavesBeside(Execution<A, R> attempt, long now) {
    pipeline.completion.leave(attempt);
    pipeline.gates.leaveBreaker(attempt.permission, now);
  }

  /**
   * Begins what {@link #passesBeside} let through, on another thread than the caller's. Completes
   * it exactly once.
   */
  public void beginsBeside(Execution<A, R> attempt) {
    Scope scope = contextFor(attempt);
    try {
      pipeline.armAndStart(attempt, attempt.permission);
    } catch (Throwable thrown) { // no memory
      pipeline.brokeOnTheWayIn(attempt, thrown);
    } finally {
      close(scope);
    }
  }

  /** A stage that is started where a caller of its command would start it finds the context. */
  private Scope contextFor(Execution<A, R> attempt) {
    if (!attempt.plan.runsOnCaller) { // else the work's own thread opens it
      return CallContext.NOTHING_TO_CLOSE;
    }
    return open(attempt.context);
  }

  private Scope open(CallContext context) {
    try {
      return context.open();
    } catch (Throwable thrown) { // a propagator is user code
      pipeline.runtime.failedToSettle(thrown);
      return CallContext.NOTHING_TO_CLOSE;
    }
  }

  private void close(Scope scope) {
    Throwable unclosed = CallContext.close(scope, null);
    if (unclosed != null) {
      pipeline.runtime.failedToSettle(unclosed);
    }
  }
}
