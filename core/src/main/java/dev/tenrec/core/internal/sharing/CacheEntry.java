// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.sharing;

import dev.tenrec.core.internal.cache.RequestCache;
import dev.tenrec.core.internal.cache.SharedRun;
import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.PublicationListener;
import dev.tenrec.core.internal.call.SharedEnding;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The one execution that calls with equal keys share. It belongs to none of them, the first caller
 * included, so that each may leave alone; it is cancelled when the last one leaves.
 */
final class CacheEntry<A extends @Nullable Object, R extends @Nullable Object>
    extends SharedRun<Outcome<R>> implements PublicationListener<R>, SharedEnding.Step {

  private final RequestCache cache;
  private final CommandRuntime owner;
  private final Object key;
  private final SharedEnding ending;

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
    this.ending = new SharedEnding(owner, this);
  }

  /** Null once ended or dropped. */
  @Nullable Execution<A, R> execution() {
    return execution;
  }

  void follow(Execution<A, R> made) {
    execution = made;
  }

  /** The calls that share it see the ending at once; their dependents run elsewhere. */
  @Override
  public void publish(R value, @Nullable Throwable error) {
    ending.end();
  }

  @Override
  public void onValue(R value) {
    ending.end(); // nothing, unless there was no memory for it when it was published
  }

  @Override
  public void onError(Throwable error) {
    ending.end();
  }

  /** By the thread that began it: the run may have been answered, and not all that share it. */
  void endAnswered() {
    Execution<A, R> begun = execution;
    if (begun != null && begun.isAnswered()) {
      ending.end();
    }
  }

  @Override
  public boolean endsAll() {
    Execution<A, R> ended = execution;
    if (ended == null) {
      return true;
    }
    Outcome<R> outcome = ended.outcome();
    stale = outcome.has(EventType.CANCELLED); // that is no answer to remember
    if (!end(outcome)) {
      return false;
    }
    execution = null;
    if (stale) {
      forgetApart();
    }
    return true;
  }

  /** What a later call is answered with; null if there is nothing to remember. */
  @Nullable Outcome<R> kept() {
    Outcome<R> ended = result(); // read first: whether it is stale was written before
    return ended == null || stale ? null : ended;
  }

  /**
   * All calls have left. Throws nothing.
   *
   * @param here whether this is the side of a caller; else nothing of the user's runs here
   */
  void drop(boolean interrupt, boolean here) {
    Execution<A, R> left = execution;
    if (left != null) {
      execution = null;
      left.pipeline.abandonment.drop(left, interrupt, here);
    }
    forgetApart();
  }

  /** A later call runs anew. Calls methods of the key, which are the user's. */
  void forget() {
    cache.remove(owner, key, this);
  }

  /**
   * Has {@link #forget} called in the command's share: the thread that cancels a call must not wait
   * for the key's methods, nor fail with what they throw.
   */
  void forgetApart() {
    try {
      owner.callbacks().execute(CallbackTask.of(this::forget));
    } catch (OutOfMemoryError e) { // a later call finds that it was dropped or is stale
      owner.failedToSettle(e);
    }
  }
}
