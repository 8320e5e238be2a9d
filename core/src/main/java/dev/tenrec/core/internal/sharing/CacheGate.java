// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.sharing;

import dev.tenrec.core.internal.cache.RequestCache;
import dev.tenrec.core.internal.call.CallerWait;
import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.call.Errors;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.Pipeline;
import dev.tenrec.core.internal.call.RequestCaching;
import dev.tenrec.core.internal.flight.Flight;
import dev.tenrec.core.internal.gate.Plan;
import dev.tenrec.core.internal.request.Request;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.event.EventType;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Before all gates: of the calls with equal keys in one request only the first goes on, and the
 * others share what comes of it. Only commands with a cache key have this.
 */
public final class CacheGate<A extends @Nullable Object, R extends @Nullable Object>
    implements RequestCaching<A, R> {

  private static final int FROM_CACHE = 1 << EventType.RESPONSE_FROM_CACHE.ordinal();

  private final Pipeline<A, R> pipeline;
  private final CommandRuntime runtime;
  private final RunSharing<A, R> sharing;
  private final Function<? super A, ? extends @Nullable Object> cacheKey;

  /**
   * Makes the gate of a command.
   *
   * @param cacheKey by what calls of one request are found to be equal; null if they never are
   * @return null if there is none
   */
  public static <A extends @Nullable Object, R extends @Nullable Object>
      RequestCaching.@Nullable Factory<A, R> by(
          @Nullable Function<? super A, ? extends @Nullable Object> cacheKey) {
    return cacheKey == null ? null : pipeline -> new CacheGate<>(pipeline, cacheKey);
  }

  private CacheGate(
      Pipeline<A, R> pipeline, Function<? super A, ? extends @Nullable Object> cacheKey) {
    this.pipeline = pipeline;
    this.runtime = pipeline.runtime;
    this.sharing = new RunSharing<>(pipeline);
    this.cacheKey = cacheKey;
  }

  /**
   * For {@code execute}, where a result that is there already is returned without an execution
   * (benchmark RequestCacheHit).
   */
  @Override
  public R execute(Plan plan, A argument) {
    if (!plan.sharesRuns) {
      return pipeline.executeUncached(plan, argument);
    }
    Request.Parts request = null;
    Object key;
    Outcome<R> known = null;
    long now = 0;
    try {
      key = cacheKey.apply(argument);
      if (key != null) {
        request = request();
        now = pipeline.now(); // before the look: the processor goes on with that meanwhile
        CacheEntry<A, R> run = sharing.find(request.cache(), key);
        known = run == null ? null : run.kept();
      }
    } catch (Throwable thrown) { // no request, or the key is the user's code
      Execution<A, R> refused = pipeline.waitingHere(plan, argument);
      pipeline.refuse(refused, thrown);
      return pipeline.answerOf(refused);
    }
    if (key == null || request == null) {
      return pipeline.executeUncached(plan, argument);
    }
    if (known != null && pipeline.listeners.isEmpty() && !Flight.wantsCalls()) {
      return answer(known, plan, request, now);
    }
    Execution<A, R> execution = pipeline.waitingHere(plan, argument);
    sharing.share(execution, request.cache(), key);
    CallerWait.untilAnswered(execution, runtime.engine);
    return pipeline.answerOf(execution);
  }

  private R answer(Outcome<R> known, Plan plan, Request.Parts request, long now) {
    runtime.recorder.count(EventType.RESPONSE_FROM_CACHE, now);
    if (plan.settings.requestLogEnabled()) {
      request.log().add(runtime.commandKey, known.eventBits() | FROM_CACHE, 0);
    }
    if (known.error() != null) {
      throw Errors.toThrow(runtime.commandKey, known.error());
    }
    return value(known);
  }

  @SuppressWarnings("NullAway") // whether null is one of its values is for R to say
  private static <R extends @Nullable Object> R value(Outcome<R> known) {
    return known.value();
  }

  /** Whether the call shares a run, or was refused one; false if it has to go its way alone. */
  @Override
  public boolean takes(Execution<A, R> execution) {
    if (!execution.plan.sharesRuns) {
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
    sharing.share(execution, cache, key);
    return true;
  }

  /** The next call with this key in the request of this thread runs anew. */
  @Override
  public void clear(Object key) {
    request().cache().clear(runtime, key);
  }

  private Request.Parts request() {
    Request.Parts parts = runtime.engine.requests().openParts();
    if (parts == null) {
      throw runtime.engine.requests().missing(runtime.commandKey + " has a cache key, which");
    }
    return parts;
  }
}
