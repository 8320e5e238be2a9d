// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.config.CollapserProperties;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.config.Property;
import dev.tenrec.core.internal.batch.BatchDoor;
import dev.tenrec.core.internal.batch.BatchLauncher;
import dev.tenrec.core.internal.call.Classification;
import dev.tenrec.core.internal.call.Pipeline;
import dev.tenrec.core.internal.call.WorkBody;
import dev.tenrec.core.internal.collapser.BatchScope;
import dev.tenrec.core.internal.collapser.Batches;
import dev.tenrec.core.internal.collapser.Sharding;
import dev.tenrec.core.internal.config.CodeSettings;
import dev.tenrec.core.internal.context.Variable;
import dev.tenrec.core.internal.engine.Collapsers;
import dev.tenrec.core.internal.gate.StackRoom;
import dev.tenrec.core.work.Fallback;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds one collapser. What {@link CommandOptions} says (isolation, time-out, circuit breaker,
 * ...) is meant for the batch: one call of the batch function, or of one of its shards.
 *
 * @param <A> what the collapser is called with
 * @param <R> what it answers
 */
public final class CollapserBuilder<A extends @Nullable Object, R extends @Nullable Object>
    extends CommandOptions<CollapserBuilder<A, R>> {

  /** How a scope gets its batches: one for all, or new ones for each request. */
  interface Scopes<A extends @Nullable Object, R extends @Nullable Object> {
    BatchScope<A, R> over(Supplier<Batches<A, R>> newBatches);
  }

  private final Tenrec tenrec;
  private final WorkBody<List<A>, Map<A, R>> body;
  private final CodeSettings.Builder batching;
  private @Nullable Fallback<List<A>, Map<A, R>> fallback;
  private Sharding<A> sharding = new Sharding<>(null);
  private Scopes<A, R> scopes = this::perRequest;
  private boolean ofOneRequest = true;
  private @Nullable Function<? super A, ? extends @Nullable Object> cacheKey;
  private String batchKey;

  CollapserBuilder(Tenrec tenrec, String key, WorkBody<List<A>, Map<A, R>> body) {
    super(key);
    this.tenrec = tenrec;
    this.body = body;
    this.batching = CodeSettings.collapser().of(key);
    this.batchKey = key;
  }

  /**
   * The key of the command its batches run as: for its settings, metrics and messages. Not that of
   * another command or collapser. Default: the collapser's.
   */
  public CollapserBuilder<A, R> batchKey(String batchKey) {
    this.batchKey = Objects.requireNonNull(batchKey, "batchKey");
    return this;
  }

  @Override
  CollapserBuilder<A, R> self() {
    return this;
  }

  /** How many different arguments start a batch before its time. Default: no number does. */
  public CollapserBuilder<A, R> maxRequestsInBatch(int requests) {
    return set(CollapserProperties.MAX_REQUESTS_IN_BATCH, requests);
  }

  /** From a batch's first member to its start. Default 10 milliseconds. */
  public CollapserBuilder<A, R> timerDelay(Duration delay) {
    return set(CollapserProperties.TIMER_DELAY, delay);
  }

  /**
   * Divides each batch: arguments of one shard key (by {@code equals}) go to one call of the batch
   * function, an execution of its own. One that fails fails its own members alone.
   *
   * @param shardOf the shard key of an argument, which may be null. Called once for each argument
   *     of a batch, on the callback executor; what it throws fails the members with that argument.
   *     If it takes longer than the time-out, all members of the batch end as timed out
   */
  public CollapserBuilder<A, R> shards(Function<? super A, ? extends @Nullable Object> shardOf) {
    sharding = new Sharding<>(Objects.requireNonNull(shardOf, "shardOf"));
    return this;
  }

  /**
   * What answers for a whole batch, or a shard of it, when the batch function does not: it failed,
   * timed out, was rejected, or the circuit was open. What it leaves out fails as with the batch
   * function.
   */
  public CollapserBuilder<A, R> fallback(Fallback<List<A>, Map<A, R>> fallback) {
    this.fallback = Objects.requireNonNull(fallback, "fallback");
    return this;
  }

  /**
   * Calls share batches within one request, which has to be open; such a batch has the context of
   * its first member. What still waits when the request closes fails. This is the default.
   */
  public CollapserBuilder<A, R> requestScope() {
    return scope(this::perRequest);
  }

  /**
   * Where the stack has no room to fail all who wait, none fails: their batch starts when its
   * window ends, and answers them.
   */
  private static void requestClosed(Batches<?, ?> open) {
    StackRoom.require();
    open.close("its request was closed");
  }

  private BatchScope<A, R> perRequest(Supplier<Batches<A, R>> newBatches) {
    Variable<Batches<A, R>> batches = new Variable<>(newBatches, CollapserBuilder::requestClosed);
    return () ->
        tenrec
            .requests()
            .variables("collapser " + key + ", not being of globalScope(),")
            .get(batches);
  }

  /**
   * All calls of this collapser share batches, in a request or not. Such a batch runs without the
   * context of any of them. This scope has to be asked for, because the batch function cannot see
   * for which calls it answers.
   */
  public CollapserBuilder<A, R> globalScope() {
    scopes = newBatches -> BatchScope.global(newBatches.get());
    ofOneRequest = false;
    return this;
  }

  /**
   * Calls of one request with equal keys share one member of a batch, and its answer or failure,
   * also after the batch has run. They need an open request, in either scope: without one the call
   * fails with an IllegalStateException. Collapsers built for one key share its entries, and so
   * have to give equal answers for equal cache keys.
   *
   * @param cacheKey the key of an argument, compared by equals; null for a call that shares
   *     nothing. Runs on the caller's thread, once per call; what it throws fails the call
   */
  public CollapserBuilder<A, R> cacheKey(Function<? super A, ? extends @Nullable Object> cacheKey) {
    this.cacheKey = Objects.requireNonNull(cacheKey, "cacheKey");
    return this;
  }

  /** Calls share batches within each request that {@code requests} distinguishes. */
  CollapserBuilder<A, R> scope(Scopes<A, R> requests) {
    scopes = requests;
    ofOneRequest = true;
    return this;
  }

  /**
   * Sets a property of the collapser by its name, as in {@code docs/reference/configuration.md}:
   * {@code collapserProperty("timerDelayInMilliseconds", "5")}. Those of its batch command are set
   * by {@link #property}.
   *
   * @throws IllegalArgumentException if there is no such property, or the value breaks its rule
   */
  public CollapserBuilder<A, R> collapserProperty(String name, String value) {
    batching.set(name, value);
    return this;
  }

  /** Sets a property of the collapser or of its batch command by its type. */
  @Override
  public <T> CollapserBuilder<A, R> set(Property<T> property, T value) {
    if (property.scope().equals(CollapserProperties.TIMER_DELAY.scope())) {
      batching.set(property, value);
      return this;
    }
    return super.set(property, value);
  }

  /**
   * The collapser. If its key was built before with equal settings, both share circuit breaker,
   * permits and metrics; each has batches of its own.
   *
   * @throws IllegalArgumentException as {@link CommandBuilder#build}
   * @throws IllegalStateException as {@link CommandBuilder#build}
   */
  public Collapser<A, R> build() {
    IsolationStrategy otherwise = body.isStaged() ? IsolationStrategy.SEMAPHORE : null;
    Collapsers.Entry entry =
        tenrec.registry().collapser(key, batchKey, definition(otherwise), batching.build());
    Classification classification = new Classification(ignored(), Classification.ANY_RESULT);
    Pipeline<List<A>, Map<A, R>> pipeline =
        new Pipeline<>(
            entry.command().runtime(), tenrec.prelude().to(body), fallback, classification, null);
    BatchLauncher<A, R> launcher =
        new BatchLauncher<>(entry.runtime(), pipeline, sharding, ofOneRequest);
    BatchDoor<A, R> door =
        new BatchDoor<>(entry.runtime(), scopes.over(launcher::newBatches), cacheKey);
    return new Collapser<>(door, entry.view(), entry.command().runtime().view());
  }
}
