// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.cache.RequestCache;
import dev.tenrec.core.cache.SharedRun;
import dev.tenrec.core.collapser.Member;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The one member of a batch that calls with equal cache keys share. It belongs to none of them, the
 * first caller included, so that each may leave alone; it leaves its batch with the last one.
 *
 * <p>What its batch ended with is remembered for later calls. What kept it from a batch is not: its
 * callers are told, and a later call asks again.
 */
final class MemberRun<R extends @Nullable Object> extends SharedRun<Outcome<R>> {

  private final RequestCache cache;
  private final CollapserRuntime owner;
  private final Object key;
  private final long startNanos;
  private final Member<R> member =
      new Member<>() {
        @Override
        public void onValue(R value) {
          ended(value, null, batchOutcome());
        }

        @Override
        public void onError(Throwable error) {
          ended(null, error, batchOutcome());
        }
      };

  MemberRun(RequestCache cache, CollapserRuntime owner, Object key) {
    this.cache = cache;
    this.owner = owner;
    this.key = key;
    this.startNanos = owner.now();
  }

  /** What joins the batch. */
  Member<R> member() {
    return member;
  }

  private void ended(@Nullable R value, @Nullable Throwable error, @Nullable Outcome<?> batch) {
    if (batch == null || batch.has(EventType.CANCELLED)) {
      forget();
    }
    end(Outcome.ofMember(owner.key(), value, error, batch, owner.now() - startNanos));
  }

  /** Everybody has left. */
  void drop() {
    forget();
    boolean unused = member.leave();
  }

  /** A later call asks anew. */
  void forget() {
    cache.remove(owner, key, this);
  }
}
