// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.cache.RequestCache;
import dev.tenrec.core.cache.SharedRun;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The one execution that calls with equal keys share. It belongs to none of them, the first caller
 * included, so that each may leave alone; it is cancelled when the last one leaves.
 */
final class CachedRun<A extends @Nullable Object, R extends @Nullable Object>
    extends SharedRun<Outcome<R>> implements Receiver<R> {

  private final RequestCache cache;
  private final CommandRuntime owner;
  private final Object key;

  /**
   * Written before this is put into the cache; let go of by who ends it or drops it, because the
   * cache keeps this as long as the request is open. Volatile for that.
   */
  private volatile @Nullable Execution<A, R> execution;

  CachedRun(RequestCache cache, CommandRuntime owner, Object key) {
    this.cache = cache;
    this.owner = owner;
    this.key = key;
  }

  /** Null once ended or dropped. */
  @Nullable Execution<A, R> execution() {
    return execution;
  }

  void follow(Execution<A, R> made) {
    execution = made;
  }

  @Override
  public void onValue(R value) {
    end();
  }

  @Override
  public void onError(Throwable error) {
    end();
  }

  private void end() {
    Execution<A, R> ended = execution;
    if (ended == null) {
      return;
    }
    Outcome<R> outcome = ended.outcome();
    if (outcome.has(EventType.CANCELLED)) {
      forget(); // that is no answer to remember
    }
    execution = null;
    end(outcome);
  }

  /** Everybody has left. */
  void drop(boolean interrupt) {
    forget();
    Execution<A, R> left = execution;
    if (left != null) {
      execution = null;
      boolean unused = left.cancel(interrupt);
    }
  }

  /** A later call runs anew. */
  void forget() {
    cache.remove(owner, key, this);
  }
}
