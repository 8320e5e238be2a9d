// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.sharing;

import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.internal.cache.RequestCache;
import dev.tenrec.core.internal.call.CallerWait;
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
   * Takes part in the run there is, or begins one. A run that is begun for a call is counted for
   * it: so the call is launched before others can know of the run. If an equal call was faster by
   * then, the run's own execution takes part in the other run, in the place of its work.
   *
   * @throws StackOverflowError if the stack has no room for that; nothing has happened then
   */
  void share(Execution<A, R> execution, RequestCache cache, Object key) {
    StackRoom.require();
    Execution<A, R> last = execution;
    Execution<A, R> overtaken = takePart(execution, cache, key);
    while (overtaken != null) {
      last = overtaken;
      overtaken = takePart(last, cache, key);
    }
    if (last != execution && last.callerStays) { // its deadline and fallback are this thread's
      CallerWait.untilAnswered(last, runtime.engine);
    }
  }

  /** Null, or the execution of a run that was overtaken, which takes part next. */
  private @Nullable Execution<A, R> takePart(
      Execution<A, R> execution, RequestCache cache, Object key) {
    CacheEntry<A, R> run;
    CacheWaiter<A, R> first;
    try {
      CacheEntry<A, R> present = find(cache, key);
      while (present != null) {
        if (joins(execution, present)) {
          return null;
        }
        present.forget(); // dropped, by a thread that may not have come to this yet
        present = find(cache, key);
      }
      run = newRun(execution, cache, key);
      first = new CacheWaiter<>(execution, run, true);
      boolean unused = run.join(first); // no other thread knows it so far
    } catch (Throwable thrown) { // of the key's equals or hashCode; or it would wait for itself
      pipeline.refuse(execution, thrown);
      return null;
    }
    execution.share = first;
    // if it was given up before, that is counted, and there is no run
    return execution.launch() ? bring(run, cache, key) : null;
  }

  /** Whether it takes part in that run, or is answered with its result. */
  private boolean joins(Execution<A, R> execution, CacheEntry<A, R> present) {
    if (present.result() == null && runtime.engine.requests().within.isIn(present)) {
      throw RunningWithin.itself(runtime.commandKey, "its own work");
    }
    CacheWaiter<A, R> share = new CacheWaiter<>(execution, present, false);
    if (present.join(share)) {
      enter(share);
      return true;
    }
    Outcome<R> known = present.kept();
    if (known == null) {
      return false;
    }
    pipeline.listeners.cacheHit(execution);
    execution.share = share; // how many attempts there were is the run's to say
    CacheWaiter.answer(execution, known);
    return true;
  }

  /** It has joined the run. */
  private void enter(CacheWaiter<A, R> share) {
    Execution<A, R> execution = share.execution();
    try {
      pipeline.listeners.cacheHit(execution);
    } catch (Throwable thrown) { // no memory
      share.leaveUnlaunched();
      throw thrown;
    }
    execution.share = share;
    if (execution.launch()) {
      pipeline.captureContext(execution);
      pipeline.armDeadline(execution);
    } else { // ended meanwhile: given up, or answered by the run
      share.leaveUnlaunched();
    }
  }

  /**
   * Puts a run, whose first call is launched, where others find it, and begins it.
   *
   * @return its execution, if another run was faster
   */
  private @Nullable Execution<A, R> bring(CacheEntry<A, R> run, RequestCache cache, Object key) {
    Execution<A, R> execution = run.execution();
    if (execution == null) { // the call has left, and this was counted for it
      return null;
    }
    try {
      if (!cache.putIfAbsent(runtime, key, run)) {
        return execution;
      }
    } catch (Throwable thrown) { // of the key's methods, or no memory: no call shares it
      pipeline.refuse(execution, thrown);
      return null;
    }
    begin(run);
    return null;
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
    if (execution == null) { // all have left, perhaps before it was put there
      run.forgetApart();
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

  @SuppressWarnings("unchecked") // all that is built for one key returns one type
  @Nullable CacheEntry<A, R> find(RequestCache cache, Object key) {
    return (CacheEntry<A, R>) cache.find(runtime, key);
  }
}
