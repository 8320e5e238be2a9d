// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import dev.tenrec.core.internal.cache.RequestCache;
import dev.tenrec.core.internal.cache.SharedRun;
import dev.tenrec.core.internal.call.SharedEnding;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.internal.collapser.Member;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The one member of a batch that calls with equal cache keys share. It belongs to none of them, the
 * first caller included, so that each may leave alone; it leaves its batch with the last one.
 *
 * <p>What its batch ended with is remembered for later calls. What kept it from a batch is not: its
 * callers receive that error, and a later call asks again.
 *
 * <p>It is its own result: between its member's settling and the callers' there is nothing that
 * takes memory. Each call that needs an {@link Outcome} makes one, with the answer and the latency
 * that are its own; of the run it takes only how the batch ended.
 */
final class MemberRun<R extends @Nullable Object> extends SharedRun<MemberRun<R>>
    implements SharedEnding.Step {

  private final RequestCache cache;
  private final CollapserRuntime owner;
  private final Object key;

  /**
   * Written by the thread that ends it, before the result; read by calls after that; ordered by
   * volatile access.
   */
  private volatile boolean stale;

  // What it ended with. Written by the thread that ends it, before the result; read by threads that
  // have seen the result.
  private @Nullable R value;
  private @Nullable Throwable error;
  private @Nullable Outcome<?> batch;

  private final SharedEnding ending;

  /**
   * Whether all that share it have been notified. Written by the threads that notify them, and read
   * by the thread that ends it.
   */
  private volatile boolean notified;

  private final Member<R> member =
      new Member<>() {
        @Override
        protected void published(@Nullable R answer, @Nullable Throwable thrown) {
          Outcome<?> outcome;
          try {
            outcome = batchOutcome();
          } catch (Throwable noMemory) { // the answer is what the callers wait for
            outcome = null;
          }
          ended(answer, thrown, outcome);
        }

        // those that share it have their own; but it delivers to those that were not notified
        @Override
        protected boolean runsUserCode() {
          return !notified;
        }

        @Override
        public void onValue(R answer) {
          ending.end();
        }

        @Override
        public void onError(Throwable thrown) {
          ending.end();
        }
      };

  MemberRun(RequestCache cache, CollapserRuntime owner, Object key) {
    this.cache = cache;
    this.owner = owner;
    this.key = key;
    this.ending = new SharedEnding(owner.command, this);
  }

  /** Whether what it ended with is only for the calls that shared it. */
  boolean isStale() {
    return stale;
  }

  /** What joins the batch. */
  Member<R> member() {
    return member;
  }

  private void ended(@Nullable R answer, @Nullable Throwable thrown, @Nullable Outcome<?> outcome) {
    value = answer;
    error = thrown;
    batch = outcome;
    boolean kept = outcome != null && !outcome.has(EventType.CANCELLED);
    stale = !kept; // first: a call that finds it from now on asks anew
    ending.end();
    if (!kept) {
      forgetApart();
    }
  }

  @Override
  public boolean endsAll() {
    if (!notified && end(this)) {
      notified = true;
    }
    return notified;
  }

  /**
   * Has {@link #forget} called in the share of the batch command: the thread that ends or leaves a
   * member must not wait for the key's methods, nor fail with what they throw.
   */
  void forgetApart() {
    try {
      owner.command.callbacks().execute(CallbackTask.of(this::forget));
    } catch (OutOfMemoryError e) { // a later call finds that it was dropped or is stale
      owner.command.failedToSettle(e);
    }
  }

  /** The answer, once it has its result; null where R has it, or there is none. */
  @Nullable R value() {
    return value;
  }

  /** What the calls get instead, once it has its result. */
  @Nullable Throwable error() {
    return error;
  }

  /** Whether a batch has asked for it, once it has its result. */
  boolean wasCollapsed() {
    Outcome<?> ending = batch;
    return ending != null && ending.has(EventType.COLLAPSED);
  }

  /** How its batch ended, once it has its result; null if it was in none that started. */
  @Nullable Outcome<?> batch() {
    return batch;
  }

  /** As {@link #batch}, for a call that was not the first. */
  Outcome<?> batchFromCache() {
    Outcome<?> ending = batch;
    return (ending == null ? Outcome.ofMember(owner.key(), null, null, null, 0) : ending)
        .fromCache();
  }

  /** All calls have left. */
  void drop() {
    boolean unused = member.leave();
    forgetApart();
  }

  /** A later call asks anew. Calls methods of the key, which are the user's. */
  void forget() {
    cache.remove(owner, key, this);
  }
}
