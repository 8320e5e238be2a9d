// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import dev.tenrec.core.internal.cache.RequestCache;
import dev.tenrec.core.internal.cache.SharedRun;
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
 */
final class MemberRun<R extends @Nullable Object> extends SharedRun<Outcome<R>> {

  private final RequestCache cache;
  private final CollapserRuntime owner;
  private final Object key;
  private final long startNanos;

  /** Written by the thread that ends it, before the result; read by calls after that. */
  private volatile boolean stale;

  private final Member<R> member =
      new Member<>() {
        @Override
        protected void published(@Nullable R value, @Nullable Throwable error) {
          ended(value, error, batchOutcome());
        }

        @Override
        protected boolean runsUserCode() {
          return false; // those that share it have their own
        }

        @Override
        public void onValue(R value) {}

        @Override
        public void onError(Throwable error) {}
      };

  MemberRun(RequestCache cache, CollapserRuntime owner, Object key) {
    this.cache = cache;
    this.owner = owner;
    this.key = key;
    this.startNanos = owner.now();
  }

  /** Whether what it ended with is only for the calls that shared it. */
  boolean isStale() {
    return stale;
  }

  /** What joins the batch. */
  Member<R> member() {
    return member;
  }

  private void ended(@Nullable R value, @Nullable Throwable error, @Nullable Outcome<?> batch) {
    boolean kept = batch != null && !batch.has(EventType.CANCELLED);
    stale = !kept; // first: a call that finds it from now on asks anew
    Outcome<R> outcome =
        Outcome.ofMember(owner.key(), value, error, batch, owner.now() - startNanos);
    if (!end(outcome)) {
      owner.command.callbacks().execute(CallbackTask.of(() -> endAgain(outcome)));
    }
    if (!kept) { // apart, because it compares keys, which are the user's
      owner.command.callbacks().execute(CallbackTask.of(this::forget));
    }
  }

  private void endAgain(Outcome<R> outcome) {
    boolean unused = end(outcome);
  }

  /** All calls have left. */
  void drop() {
    forget();
    boolean unused = member.leave();
  }

  /** A later call asks anew. */
  void forget() {
    cache.remove(owner, key, this);
  }
}
