// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.cache.RequestCache;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.event.EventType;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Before all gates: of the calls with equal keys in one request only the first goes on, and the
 * others share what comes of it. Only commands with a cache key have this.
 */
final class CacheGate<A extends @Nullable Object, R extends @Nullable Object> {

  private static final int FROM_CACHE = 1 << EventType.RESPONSE_FROM_CACHE.ordinal();

  private final Pipeline<A, R> pipeline;
  private final CommandRuntime runtime;
  private final Function<? super A, ? extends @Nullable Object> cacheKey;

  CacheGate(Pipeline<A, R> pipeline, Function<? super A, ? extends @Nullable Object> cacheKey) {
    this.pipeline = pipeline;
    this.runtime = pipeline.runtime;
    this.cacheKey = cacheKey;
  }

  /**
   * For {@code execute}, where a result that is there already is returned without an execution
   * (benchmark RequestCacheHit).
   */
  R execute(Plan plan, A argument) {
    if (!plan.settings.requestCacheEnabled()) {
      return pipeline.executeAnew(plan, argument);
    }
    Request.Parts request;
    Object key;
    Outcome<R> known;
    try {
      key = cacheKey.apply(argument);
      if (key == null) {
        return pipeline.executeAnew(plan, argument);
      }
      request = request();
      CachedRun<A, R> run = find(request.cache(), key);
      known = run == null ? null : run.result();
    } catch (Throwable thrown) { // no request, or the key is the user's code
      Execution<A, R> refused = pipeline.waitingHere(plan, argument);
      pipeline.refuse(refused, thrown);
      return pipeline.answerOf(refused);
    }
    if (known != null) {
      return answer(known, plan, request);
    }
    Execution<A, R> execution = pipeline.waitingHere(plan, argument);
    share(execution, request.cache(), key);
    CallerWait.untilAnswered(execution, runtime.engine);
    return pipeline.answerOf(execution);
  }

  private R answer(Outcome<R> known, Plan plan, Request.Parts request) {
    runtime.recorder.count(EventType.RESPONSE_FROM_CACHE);
    if (plan.settings.requestLogEnabled()) {
      request.log().add(runtime.commandKey, known.eventBits() | FROM_CACHE, 0);
    }
    if (known.error() != null) {
      throw Thrown.toThrow(runtime.commandKey, known.error());
    }
    return value(known);
  }

  @SuppressWarnings("NullAway") // whether null is one of its values is for R to say
  private static <R extends @Nullable Object> R value(Outcome<R> known) {
    return known.value();
  }

  /** Whether the call shares a run, or was refused one; false if it has to go its way alone. */
  boolean takes(Execution<A, R> execution) {
    if (!execution.plan.settings.requestCacheEnabled()) {
      return false;
    }
    RequestCache cache;
    Object key;
    try {
      key = cacheKey.apply(execution.argument());
      if (key == null) {
        return false;
      }
      cache = request().cache();
    } catch (Throwable thrown) {
      pipeline.refuse(execution, thrown);
      return true;
    }
    share(execution, cache, key);
    return true;
  }

  /** Takes part in the run there is, or begins one. */
  private void share(Execution<A, R> execution, RequestCache cache, Object key) {
    CacheShare<A, R> share;
    try {
      share = joined(execution, cache, key);
    } catch (Throwable thrown) { // equals and hashCode of the key are the user's code
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
        CacheShare<A, R> share = new CacheShare<>(execution, present, false);
        if (present.join(share)) {
          return share;
        }
        Outcome<R> known = present.result();
        if (known != null) {
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
      pipeline.runAlone(execution);
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

  /** The next call with this key in the request of this thread runs anew. */
  void clear(Object key) {
    request().cache().clear(runtime, key);
  }

  private Request.Parts request() {
    Request.Parts parts = runtime.engine.requests().openParts();
    if (parts == null) {
      throw runtime.engine.requests().missing(runtime.commandKey + " has a cache key, which");
    }
    return parts;
  }

  @SuppressWarnings("unchecked") // all that is built for one key returns the same
  private @Nullable CachedRun<A, R> find(RequestCache cache, Object key) {
    return (CachedRun<A, R>) cache.find(runtime, key);
  }
}
