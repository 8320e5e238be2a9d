// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.sharing;

import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.internal.cache.RequestCache;
import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.Pipeline;
import dev.tenrec.core.internal.context.CallContext;
import dev.tenrec.core.internal.gate.StackRoom;
import dev.tenrec.core.internal.request.RunningWithin;
import dev.tenrec.core.outcome.Outcome;
import org.jspecify.annotations.Nullable;

/** How a call with a key comes to its part in a run: there is one, or the call begins it. */
final class RunSharing<A extends @Nullable Object, R extends @Nullable Object> {

  private final Pipeline<A, R> pipeline;
  private final CommandRuntime runtime;

  RunSharing(Pipeline<A, R> pipeline) {
    this.pipeline = pipeline;
    this.runtime = pipeline.runtime;
  }

  /**
   * Takes part in the run there is, or begins one.
   *
   * @throws StackOverflowError if the stack has no room for that; nothing has happened then
   */
  void share(Execution<A, R> execution, RequestCache cache, Object key) {
    StackRoom.require();
    CacheWaiter<A, R> share;
    try {
      share = joined(execution, cache, key);
    } catch (Throwable thrown) { // of the key's equals or hashCode; or it would wait for itself
      pipeline.refuse(execution, thrown);
      return;
    }
    if (share == null) {
      return;
    }
    execution.share = share;
    if (!execution.launch()) { // ended meanwhile: given up, or answered by the run
      leaveUnlaunched(share);
    } else if (share.first()) {
      begin(share.run());
    } else {
      pipeline.captureContext(execution);
      pipeline.armDeadline(execution);
    }
  }

  /** Null if the result was there already, and has answered. */
  private @Nullable CacheWaiter<A, R> joined(
      Execution<A, R> execution, RequestCache cache, Object key) {
    while (true) {
      CacheEntry<A, R> present = find(cache, key);
      if (present == null) {
        CacheEntry<A, R> begun = newRun(execution, cache, key);
        CacheWaiter<A, R> first = new CacheWaiter<>(execution, begun, true);
        if (begun.join(first) && put(cache, key, first)) {
          return first;
        }
      } else {
        if (present.result() == null && runtime.engine.requests().within.isIn(present)) {
          throw RunningWithin.itself(runtime.commandKey, "its own work");
        }
        CacheWaiter<A, R> share = new CacheWaiter<>(execution, present, false);
        if (present.join(share)) {
          reportHit(share);
          return share;
        }
        Outcome<R> known = present.result();
        if (known != null && !present.isStale()) {
          pipeline.listeners.cacheHit(execution);
          CacheWaiter.answer(execution, known);
          return null;
        }
        present.forget(); // dropped, by a thread that may not have come to this yet
      }
    }
  }

  private void reportHit(CacheWaiter<A, R> share) {
    try {
      pipeline.listeners.cacheHit(share.execution());
    } catch (Throwable thrown) { // no memory
      leaveUnlaunched(share);
      throw thrown;
    }
  }

  private boolean put(RequestCache cache, Object key, CacheWaiter<A, R> first) {
    try {
      return cache.putIfAbsent(runtime, key, first.run());
    } catch (Throwable thrown) { // of the key's methods, or no memory: it may be in there by now
      leaveUnlaunched(first);
      throw thrown;
    }
  }

  private CacheEntry<A, R> newRun(Execution<A, R> caller, RequestCache cache, Object key) {
    CacheEntry<A, R> run = new CacheEntry<>(cache, runtime, key);
    run.follow(
        new Execution<>(
            pipeline,
            caller.plan,
            caller.argument(),
            run,
            pipeline.callerStaysAtWork(caller.plan),
            caller.startNanos));
    return run;
  }

  /** Throws nothing: calls may share the run by now, and this thread alone begins it. */
  private void begin(CacheEntry<A, R> run) {
    Execution<A, R> execution = run.execution();
    if (execution == null) {
      return;
    }
    Scope scope = CallContext.NOTHING_TO_CLOSE;
    try {
      scope = runtime.engine.requests().within.enter(run);
      pipeline.runUncached(execution);
    } catch (Throwable thrown) { // no memory
      pipeline.failToBegin(execution, thrown);
    }
    Throwable unclosed = CallContext.close(scope, null);
    if (unclosed != null) {
      runtime.failedToSettle(unclosed);
    }
    run.endAnswered();
  }

  private void leaveUnlaunched(CacheWaiter<A, R> share) {
    if (!share.run().leave(share)) {
      if (share.first()) {
        begin(share.run()); // others have joined it, and no other thread would begin it
      }
    } else if (share.first()) {
      share.run().forgetApart(); // it never began: there is nothing to cancel or to count
    } else {
      share.run().drop(runtime.interruptsOnCancel(), true);
    }
  }

  @SuppressWarnings("unchecked") // all that is built for one key returns one type
  @Nullable CacheEntry<A, R> find(RequestCache cache, Object key) {
    return (CacheEntry<A, R>) cache.find(runtime, key);
  }
}
