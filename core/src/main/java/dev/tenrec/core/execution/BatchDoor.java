// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.collapser.BatchScope;
import dev.tenrec.core.collapser.Member;
import dev.tenrec.core.outcome.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * How a call becomes a member of a batch, and how one that waits is answered.
 *
 * @param <A> what a member asks with
 * @param <R> what it is answered
 */
public final class BatchDoor<A extends @Nullable Object, R extends @Nullable Object> {

  private final CollapserRuntime runtime;
  private final BatchScope<A, R> scope;

  /**
   * Makes the door of one built collapser.
   *
   * @param runtime what everything built for its key shares
   * @param scope who may share a batch with whom
   */
  public BatchDoor(CollapserRuntime runtime, BatchScope<A, R> scope) {
    this.runtime = runtime;
    this.scope = scope;
  }

  /** What everything built for its key shares. */
  public CollapserRuntime runtime() {
    return runtime;
  }

  /** The collapser's key. */
  public String key() {
    return runtime.key();
  }

  /** Has the member join a batch; if there is none to join, it fails. Throws nothing. */
  public void enter(A argument, Member<R> member) {
    if (runtime.isClosed()) {
      member.fail(runtime.closedRejection());
      return;
    }
    try {
      scope.current().join(argument, member);
    } catch (Throwable thrown) { // no scope, an argument's hashCode, a propagator, no timer
      member.fail(thrown);
    }
  }

  /** Joins, waits, and returns the answer or throws what kept it. */
  public R execute(A argument) {
    WaitingMember<R> member = await(argument, false);
    if (member.error != null) {
      throw Thrown.toThrow(key(), member.error);
    }
    return member.value();
  }

  /** Joins, waits, and tells how it went. */
  public Outcome<R> attempt(A argument) {
    return await(argument, true).outcome(key());
  }

  private WaitingMember<R> await(A argument, boolean tellsAll) {
    WaitingMember<R> member = new WaitingMember<>(runtime, tellsAll);
    enter(argument, member);
    member.await();
    return member;
  }
}
