// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.context.ContextPropagator;
import dev.tenrec.hystrix.strategy.concurrency.HystrixContextScheduler;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.core.Scheduler;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.subjects.ReplaySubject;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What both kinds of collapsers have in common: what an instance says of its collapser, the way to
 * it, and the doors that bring an observable.
 *
 * @param <R> what one call is answered
 */
public abstract class AbstractCollapser<R extends @Nullable Object>
    implements HystrixObservable<R> {

  private final HystrixCollapserKey key;

  /** Whether all calls of this process share batches. */
  private final boolean isGlobal;

  private final HystrixCollapserProperties.@Nullable Setter properties;

  /**
   * Without a key, or with a blank one, the class's simple name is the key. For Hystrix's two kinds
   * only: users extend these.
   */
  AbstractCollapser(
      @Nullable HystrixCollapserKey key,
      boolean isGlobal,
      HystrixCollapserProperties.@Nullable Setter properties) {
    this.key =
        key != null && !key.name().isBlank()
            ? key
            : HystrixCollapserKey.Factory.asKey(CommandDescription.nameOf(getClass()));
    this.isGlobal = isGlobal;
    this.properties = properties;
  }

  /**
   * Hands the collapser to {@code use}, within the Tenrec's request if there is one.
   *
   * @throws IllegalStateException without a request, if calls share batches or answers within one
   */
  final <T extends @Nullable Object> T enter(
      CollapserCall call, Function<Collapser<CollapserCall, @Nullable Object>, T> use) {
    KnownKeys keys = HystrixTenrec.known();
    KnownCollapser known =
        keys.collapser(key.name(), () -> new KnownCollapser(keys, key, isGlobal, properties));
    if (!HystrixRequestContext.isCurrentThreadInitialized()) {
      if (!isGlobal || (call.cacheKey() != null && known.isCaching())) {
        throw HystrixRequestCache.noRequest(key.name());
      }
      return use.apply(known.collapser);
    }
    try (ContextPropagator.Scope entered = keys.request.get().enter()) {
      return use.apply(known.collapser);
    }
  }

  /** The name of the key, whatever a subclass does with {@link #getCollapserKey}. */
  final String keyName() {
    return key.name();
  }

  /** Joins a batch now, and replays to each subscriber what {@link #toObservable()} brings. */
  @Override
  public Observable<R> observe() {
    ReplaySubject<R> all = ReplaySubject.create();
    Disposable source = toObservable().subscribe(all::onNext, all::onError, all::onComplete);
    return all.doOnDispose(source::dispose);
  }

  /** As {@link #toObservable()}, observed on this scheduler, at the request of its subscriber. */
  public Observable<R> toObservable(Scheduler observeOn) {
    return toObservable().observeOn(new HystrixContextScheduler(observeOn));
  }

  /** The collapser's key. */
  public HystrixCollapserKey getCollapserKey() {
    return key;
  }

  /** The counts of the collapser; null before its first call. */
  public @Nullable HystrixCollapserMetrics getMetrics() {
    return HystrixCollapserMetrics.getInstance(key);
  }
}
