// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import dev.tenrec.core.internal.cache.Sharer;
import dev.tenrec.core.internal.collapser.Member;
import dev.tenrec.core.internal.collapser.Place;
import dev.tenrec.core.outcome.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * A call's part in a member it shares: there the call waits, instead of in the batch. The first
 * caller takes part as the later ones do, but the member is counted for the first caller: so
 * members and hits add up to the calls.
 *
 * @param runtime the collapser's
 * @param member the call's own, which is in no batch
 * @param shared what it shares
 * @param first whether the run was begun for this call
 * @param hit the call as listeners see it; null if it is first, or there is none
 */
record MemberShare<R extends @Nullable Object>(
    CollapserRuntime runtime,
    Member<R> member,
    MemberRun<R> shared,
    boolean first,
    @Nullable MemberHit hit)
    implements Sharer<MemberRun<R>>, Place<R>, Runnable {

  /**
   * Hands over what it has settled in the same try, for a later one finds it settled. Between the
   * two nothing can fail: it takes no memory, calls nothing of the user's, and has the stack. Each
   * thread that comes here has asked for that ({@code StackRoom}, {@code StackReserve}) where the
   * user's frames end, or is the engine's own.
   */
  @Override
  public void ended(MemberRun<R> result) {
    if (publish(result)) {
      member.deliverApart(runtime.deliverer());
    }
  }

  /** On the caller's own thread: the answer is there already. */
  void answerHere(MemberRun<R> result) {
    if (publish(result)) {
      member.deliver(runtime.deliverer());
    }
  }

  /** Takes no memory before the member is settled, nor any that it needs after that. */
  private boolean publish(MemberRun<R> result) {
    boolean counts = !first && result.wasCollapsed(); // else there is no member it adds up with
    boolean published = member.publish(result.value(), result.error(), counts ? this : null);
    if (published) {
      member.forget();
      if (counts && hit != null) {
        report(hit, result);
      }
    }
    return published;
  }

  private void report(MemberHit reported, MemberRun<R> result) {
    try {
      reported.ended(result.value(), result.error());
    } catch (Throwable thrown) { // no memory: it has its answer all the same
      runtime.command.failedToSettle(thrown);
    }
  }

  /** Counts the hit, before any thread sees the answer. */
  @Override
  public void run() {
    try {
      runtime.metrics.countCacheHit(runtime.now());
    } catch (Throwable thrown) { // no memory for a first count
      runtime.command.failedToSettle(thrown);
    }
  }

  /**
   * Also called by a thread that finds the member gone before it came here, perhaps for a second
   * time.
   */
  @Override
  public void left(Member<R> gone) {
    if (shared.leave(this)) {
      shared.drop();
    }
    member.forget();
  }

  @Override
  public @Nullable Outcome<?> outcome() {
    MemberRun<R> result = shared.result();
    if (result == null) {
      return null;
    }
    return first ? result.batch() : result.batchFromCache();
  }

  @Override
  public boolean workBegan() {
    return shared.member().workBegan();
  }

  // one part is no other's, whatever it has

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
