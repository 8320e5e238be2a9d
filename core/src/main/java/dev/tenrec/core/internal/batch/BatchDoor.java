// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import dev.tenrec.core.internal.call.Engine;
import dev.tenrec.core.internal.call.Errors;
import dev.tenrec.core.internal.collapser.BatchScope;
import dev.tenrec.core.internal.collapser.Member;
import dev.tenrec.core.internal.context.Deadlines;
import dev.tenrec.core.internal.gate.StackRoom;
import dev.tenrec.core.outcome.Outcome;
import java.util.function.Function;
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
  private final @Nullable MemberCache<A, R> cache;

  /**
   * Makes the door of one built collapser.
   *
   * @param runtime what everything built for its key shares
   * @param scope which calls may share a batch
   * @param cacheKey by what calls of one request are found to be equal; null if they never are
   */
  public BatchDoor(
      CollapserRuntime runtime,
      BatchScope<A, R> scope,
      @Nullable Function<? super A, ? extends @Nullable Object> cacheKey) {
    this.runtime = runtime;
    this.scope = scope;
    this.cache = cacheKey == null ? null : new MemberCache<>(runtime, cacheKey, this::join);
  }

  /** What everything built for its key shares. */
  public CollapserRuntime runtime() {
    return runtime;
  }

  /** The collapser's key. */
  public String key() {
    return runtime.key();
  }

  /**
   * Has the member join a batch; if there is none to join, it fails.
   *
   * @throws StackOverflowError if the stack has no room for that; nothing has happened then
   */
  public void enter(A argument, Member<R> member) {
    StackRoom.require();
    if (runtime.isClosed()) {
      member.fail(runtime.closedRejection(), runtime.deliverer());
    } else if (runtime.command.plan().deadlines) {
      enterWithin(argument, member);
    } else {
      enterAnyBatch(argument, member);
    }
  }

  private void enterAnyBatch(A argument, Member<R> member) {
    if (cache == null) {
      join(argument, member);
    } else {
      cache.enter(argument, member);
    }
  }

  /** A batch has the latest deadline of its members; a member ends by its own. */
  private void enterWithin(A argument, Member<R> member) {
    Engine engine = runtime.command.engine;
    long deadline = engine.requests().deadlines.current();
    long now = runtime.now();
    if (deadline == Deadlines.NONE) {
      enterAnyBatch(argument, member);
    } else if (deadline - now <= 0) {
      member.fail(runtime.late(now, deadline, false), runtime.deliverer());
    } else {
      enterAnyBatch(argument, member);
      watch(member, new MemberTimeout(runtime, member, now, deadline));
    }
  }

  private void watch(Member<R> member, MemberTimeout timeout) {
    if (member.isSettled()) {
      return;
    }
    try { // a closed timer: closing ends the member
      boolean unused = runtime.command.engine.timer().arm(timeout);
    } catch (Throwable thrown) { // no thread: it ends with its batch, which has a deadline, too
      runtime.command.failedToSettle(thrown);
    }
  }

  private void join(A argument, Member<R> member) {
    try {
      scope.current().join(argument, member);
    } catch (Throwable thrown) { // no scope, an argument's hashCode, a propagator, no timer
      member.fail(thrown, runtime.deliverer());
    }
  }

  /** Joins, waits, and returns the answer or throws what kept it. */
  public R execute(A argument) {
    WaitingMember<R> member = await(argument, false);
    if (member.error != null) {
      throw Errors.toThrow(key(), member.error);
    }
    return member.value();
  }

  /** Joins, waits, and returns how it went. */
  public Outcome<R> attempt(A argument) {
    return await(argument, true).outcome(key());
  }

  /**
   * The next call with this key in the request of this thread asks anew.
   *
   * @throws IllegalStateException if there is no open request, or the collapser has no cache key
   */
  public void clearCache(Object key) {
    if (cache == null) {
      throw new IllegalStateException(
          key() + " has no cache key: say cacheKey(..) when it is built");
    }
    cache.clear(key);
  }

  private WaitingMember<R> await(A argument, boolean withBatchOutcome) {
    WaitingMember<R> member = new WaitingMember<>(runtime, withBatchOutcome);
    enter(argument, member);
    member.await();
    return member;
  }
}
