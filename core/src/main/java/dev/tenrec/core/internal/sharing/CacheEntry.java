// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.sharing;

import dev.tenrec.core.internal.cache.RequestCache;
import dev.tenrec.core.internal.cache.SharedRun;
import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.PublicationListener;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The one execution that calls with equal keys share. It belongs to none of them, the first caller
 * included, so that each may leave alone; it is cancelled when the last one leaves.
 */
final class CacheEntry<A extends @Nullable Object, R extends @Nullable Object>
    extends SharedRun<Outcome<R>> implements PublicationListener<R> {

  private final RequestCache cache;
  private final CommandRuntime owner;
  private final Object key;

  /**
   * Written before this is put into the cache; set to null by the thread that ends or drops the
   * run, because the cache keeps this as long as the request is open. Volatile for that second
   * write.
   */
  private volatile @Nullable Execution<A, R> execution;

  /** Written by the thread that ends it, before the result; read by calls after that. */
  private volatile boolean stale;

  CacheEntry(RequestCache cache, CommandRuntime owner, Object key) {
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

  /** The calls that share it see the ending at once; what hangs on the calls runs elsewhere. */
  @Override
  public void publish(R value, @Nullable Throwable error) {
    end();
  }

  @Override
  public void onValue(R value) {
    end(); // nothing, unless there was no memory for it when it was published
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
    stale = outcome.has(EventType.CANCELLED); // that is no answer to remember
    if (!end(outcome)) {
      return; // this is called again when the ending is delivered
    }
    execution = null;
    if (stale) { // apart, because it compares keys, which are the user's
      owner.callbacks().execute(CallbackTask.of(this::forget));
    }
  }

  /** Whether what it ended with is only for the calls that shared it. */
  boolean isStale() {
    return stale;
  }

  /** All calls have left. */
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
