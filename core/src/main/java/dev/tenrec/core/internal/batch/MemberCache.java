// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import dev.tenrec.core.internal.cache.RequestCache;
import dev.tenrec.core.internal.collapser.Member;
import dev.tenrec.core.internal.request.Request;
import dev.tenrec.core.internal.request.Requests;
import dev.tenrec.core.internal.request.RunningWithin;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Before the batches: of the calls with equal keys in one request only one is a member of a batch,
 * and the others share what comes of it, also when that batch is long over. Only collapsers with a
 * cache key have this.
 */
final class MemberCache<A extends @Nullable Object, R extends @Nullable Object> {

  private final CollapserRuntime runtime;
  private final Function<? super A, ? extends @Nullable Object> cacheKey;
  private final BiConsumer<A, Member<R>> batches;

  /**
   * Nothing of its own: what is remembered is in the requests.
   *
   * @param runtime what everything built for the collapser's key shares, entries included
   * @param batches brings a member into one, or fails it; throws nothing
   */
  MemberCache(
      CollapserRuntime runtime,
      Function<? super A, ? extends @Nullable Object> cacheKey,
      BiConsumer<A, Member<R>> batches) {
    this.runtime = runtime;
    this.cacheKey = cacheKey;
    this.batches = batches;
  }

  /** Has the member share what there is for its key, or begin it. Throws nothing. */
  void enter(A argument, Member<R> member) {
    Object key = null;
    MemberRun<R> begun = null;
    try {
      if (runtime.settings().requestCacheEnabled()) {
        key = cacheKey.apply(argument);
        if (key != null) {
          begun = shared(key, argument, member);
        }
      }
    } catch (Throwable thrown) { // no request, or the key, its equals or its hashCode
      member.fail(thrown, runtime.deliverer());
      return;
    }
    if (key == null) {
      batches.accept(argument, member);
    } else if (begun != null) {
      begin(argument, begun);
    }
  }

  /** Throws nothing: calls may share the run by now, and this thread alone begins it. */
  private void begin(A argument, MemberRun<R> run) {
    if (run.member().isSettled()) { // all have left, perhaps before it was put there
      run.forgetApart();
    } else {
      batches.accept(argument, run.member());
    }
  }

  /** The run it has begun; null if it shares an earlier run. */
  private @Nullable MemberRun<R> shared(Object key, A argument, Member<R> member) {
    RequestCache cache = cache();
    boolean hasListeners = !runtime.command.engine.listeners().isEmpty();
    while (true) {
      MemberRun<R> present = find(cache, key);
      if (present != null
          && present.result() == null
          && runtime.command.engine.requests().within.isIn(present.member().waitsFor())) {
        throw RunningWithin.itself(runtime.key(), "the work of its own batch");
      }
      MemberRun<R> run = present == null ? new MemberRun<>(cache, runtime, key) : present;
      MemberShare<R> share =
          new MemberShare<>(
              runtime,
              member,
              run,
              present == null,
              present != null && hasListeners ? new MemberHit(runtime, argument) : null);
      member.waitAt(share); // before it takes part: its answer may come at once
      if (run.join(share)) {
        if (present == null && !put(cache, key, argument, share)) {
          continue; // another run was faster
        }
        if (member.isSettled()) {
          share.left(member); // it left on the way
        }
        return present == null ? run : null;
      }
      MemberRun<R> known = run.result();
      if (known != null && !run.isStale()) {
        share.answerHere(known);
        return null;
      }
      run.forget(); // dropped, by a thread that may not have come to this yet
    }
  }

  private boolean put(RequestCache cache, Object key, A argument, MemberShare<R> first) {
    try {
      return cache.putIfAbsent(runtime, key, first.shared());
    } catch (Throwable thrown) { // of the key's methods, or no memory: it may be in there by now
      withdraw(argument, first);
      throw thrown;
    }
  }

  /** The call that it was begun for fails. Calls may share it by now, and no other begins it. */
  private void withdraw(A argument, MemberShare<R> first) {
    MemberRun<R> run = first.shared();
    if (run.leave(first)) {
      run.drop();
    } else {
      begin(argument, run);
    }
  }

  @SuppressWarnings("unchecked") // all that is built for one key answers with one type
  private @Nullable MemberRun<R> find(RequestCache cache, Object key) {
    return (MemberRun<R>) cache.find(runtime, key);
  }

  /** The next call with this key in the request of this thread asks anew. */
  void clear(Object key) {
    cache().clear(runtime, key);
  }

  private RequestCache cache() {
    Requests requests = runtime.command.engine.requests();
    Request.Parts parts = requests.openParts();
    if (parts == null) {
      throw requests.missing(runtime.key() + " has a cache key, which");
    }
    return parts.cache();
  }
}
