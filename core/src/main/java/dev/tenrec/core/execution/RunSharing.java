// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.cache.RequestCache;
import dev.tenrec.core.context.ContextPropagator.Scope;
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

  /** Takes part in the run there is, or begins one. */
  void share(Execution<A, R> execution, RequestCache cache, Object key) {
    CacheShare<A, R> share;
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
  private @Nullable CacheShare<A, R> joined(
      Execution<A, R> execution, RequestCache cache, Object key) {
    while (true) {
      CachedRun<A, R> present = find(cache, key);
      if (present == null) {
        CachedRun<A, R> begun = newRun(execution, cache, key);
        CacheShare<A, R> first = new CacheShare<>(execution, begun, true);
        if (begun.join(first) && cache.putIfAbsent(runtime, key, begun)) {
          return first;
        }
      } else {
        if (present.result() == null && runtime.engine.requests().within.isIn(present)) {
          throw Within.itself(runtime.commandKey, "its own work");
        }
        CacheShare<A, R> share = new CacheShare<>(execution, present, false);
        if (present.join(share)) {
          pipeline.listeners.cacheHit(execution);
          return share;
        }
        Outcome<R> known = present.result();
        if (known != null && !present.isStale()) {
          pipeline.listeners.cacheHit(execution);
          CacheShare.answer(execution, known);
          return null;
        }
        present.forget(); // dropped; who dropped it may not have come to that yet
      }
    }
  }

  private CachedRun<A, R> newRun(Execution<A, R> caller, RequestCache cache, Object key) {
    CachedRun<A, R> run = new CachedRun<>(cache, runtime, key);
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

  private void begin(CachedRun<A, R> run) {
    Execution<A, R> execution = run.execution();
    if (execution != null) {
      try (Scope scope = runtime.engine.requests().within.enter(run)) {
        pipeline.runAlone(execution);
      }
    }
  }

  private void leaveUnlaunched(CacheShare<A, R> share) {
    if (!share.run().leave(share)) {
      if (share.first()) {
        begin(share.run()); // others have joined it, and nobody else would begin it
      }
    } else if (share.first()) {
      share.run().forget(); // it never began, so there is nothing to cancel or to count
    } else {
      share.run().drop(runtime.interruptsOnCancel());
    }
  }

  @SuppressWarnings("unchecked") // all that is built for one key returns the same
  @Nullable CachedRun<A, R> find(RequestCache cache, Object key) {
    return (CachedRun<A, R>) cache.find(runtime, key);
  }
}
