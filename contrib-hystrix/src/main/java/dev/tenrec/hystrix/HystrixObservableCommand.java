// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.outcome.MissingFallbackException;
import dev.tenrec.hystrix.ExecutionPlugins.Piece;
import io.reactivex.rxjava3.core.BackpressureStrategy;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.FlowableSubscriber;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.disposables.Disposable;
import java.util.EnumSet;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;

/**
 * A call that brings any number of items, with its isolation, time-out, circuit breaker and
 * fallback. On a semaphore unless its setter says otherwise. An instance is one execution; a second
 * is refused. It has no request cache.
 *
 * @param <R> one item
 */
public abstract non-sealed class HystrixObservableCommand<R> extends AbstractCommand<R> {

  private final AtomicInteger emissions = new AtomicInteger();
  private final AtomicInteger fallbackEmissions = new AtomicInteger();

  /** Written by the fallback's thread, read by the one that the ending is on. */
  private volatile boolean fallbackBegun;

  /** Written by the fallback's thread, read by the one that the ending is on. */
  private volatile @Nullable Throwable fallbackError;

  /** Of this group; the class's simple name is the key. */
  protected HystrixObservableCommand(HystrixCommandGroupKey group) {
    super(group, null, null, null, null);
  }

  /** As the setter says. */
  protected HystrixObservableCommand(Setter setter) {
    super(setter.group, setter.key, null, setter.command, null);
  }

  /** What an instance says of its command. Not thread-safe; may be used for many instances. */
  public static final class Setter {

    private final HystrixCommandGroupKey group;
    private @Nullable HystrixCommandKey key;
    private HystrixCommandProperties.@Nullable Setter command;

    private Setter(HystrixCommandGroupKey group) {
      this.group = group;
    }

    /** Begins with the group. */
    public static Setter withGroupKey(HystrixCommandGroupKey groupKey) {
      return new Setter(groupKey);
    }

    /** The command's key; the class's simple name unless it is given. */
    public Setter andCommandKey(HystrixCommandKey commandKey) {
      this.key = commandKey;
      return this;
    }

    /** Settings of the command. */
    public Setter andCommandPropertiesDefaults(
        HystrixCommandProperties.Setter commandPropertiesDefaults) {
      this.command = commandPropertiesDefaults;
      return this;
    }
  }

  /** Makes what brings the items; on a pool, subscribed to on a thread of it. */
  protected abstract Observable<R> construct();

  /**
   * Goes on where the work stopped: it failed, timed out, was refused. Items that came before stay.
   * Unless it is overridden there is no fallback.
   */
  protected Observable<R> resumeWithFallback() {
    return Observable.error(new MissingFallbackException("No fallback available."));
  }

  /**
   * Final, because there is no request cache for streams: collect the items in a HystrixCommand.
   */
  protected final @Nullable String getCacheKey() {
    return null;
  }

  @Override
  final void make(KnownCommand command) {
    Object unused = command.stream();
  }

  final Publisher<Object> work() throws Exception {
    ExecutionPlugins plugins = plugins();
    Observable<R> made =
        plugins == null
            ? workHere(this::construct)
            : workHere(() -> plugins.carry(Piece.WORK, () -> plugins.items(this::construct)));
    return items(made, emissions, this::threw, Piece.WORK_ITEMS);
  }

  final Publisher<Object> fallBack(Throwable cause) throws Exception {
    fallbackBegun = true;
    try {
      ExecutionPlugins plugins = plugins();
      Observable<R> made =
          plugins == null
              ? fallBackHere(cause, this::resumeWithFallback)
              : fallBackHere(
                  cause,
                  () ->
                      plugins.carry(
                          Piece.FALLBACK, () -> plugins.fallBackItems(this::resumeWithFallback)));
      return items(
          made == null ? null : made.onErrorResumeNext(this::fallbackFailed),
          fallbackEmissions,
          error -> {},
          Piece.FALLBACK_ITEMS);
    } catch (Throwable thrown) {
      fallbackError = thrown;
      throw Failures.thrown(UnsupportedFallbackException.toEngine(thrown));
    }
  }

  private Observable<R> fallbackFailed(Throwable error) {
    fallbackError = error;
    return Observable.error(UnsupportedFallbackException.toEngine(error));
  }

  /** The items, subscribed to at the request, counted. */
  private Publisher<Object> items(
      @Nullable Observable<R> made,
      AtomicInteger counter,
      io.reactivex.rxjava3.functions.Consumer<Throwable> failed,
      Piece piece) {
    Flowable<R> counted =
        Objects.requireNonNull(
                made,
                () ->
                    getClass().getName()
                        + (piece == Piece.WORK_ITEMS ? ".construct" : ".resumeWithFallback")
                        + " returned null")
            .doOnNext(item -> counter.incrementAndGet())
            .doOnError(failed)
            .toFlowable(BackpressureStrategy.BUFFER);
    return subscriber -> {
      try {
        UserCode<Object> subscription =
            () -> {
              counted.cast(Object.class).subscribe(subscriber);
              return counted;
            };
        ExecutionPlugins plugins = plugins();
        Object unused =
            atRequest(plugins == null ? subscription : () -> plugins.carry(piece, subscription));
      } catch (Exception thrown) {
        throw Failures.thrown(thrown);
      }
    };
  }

  @Override
  final void start(Delivery<R> delivery) {
    KnownCommand present = begin();
    try {
      startPlugins(present);
      present.stream().toFlowable(this).subscribe(new ItemSubscriber(delivery));
    } catch (Throwable thrown) {
      endedBeforeTheEngine(thrown);
      throw thrown;
    }
  }

  /** Brings the items to the observer, and the ending to this instance. */
  private final class ItemSubscriber implements FlowableSubscriber<Object> {

    private final Delivery<R> delivery;

    ItemSubscriber(Delivery<R> delivery) {
      this.delivery = delivery;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      delivery.follow(Disposable.fromSubscription(subscription));
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    @SuppressWarnings("unchecked") // it is what construct or resumeWithFallback of this brought
    public void onNext(Object item) {
      delivery.item((R) item);
    }

    @Override
    public void onComplete() {
      ExecutionResult unused = change(before -> ended(before, null));
      delivery.complete();
    }

    @Override
    public void onError(Throwable cause) {
      if (cause instanceof CancellationException && !isThrownHere(cause)) { // its Tenrec was closed
        cancelled();
        delivery.fail(failedToExecute(cause));
        return;
      }
      Throwable failure = change(before -> ended(before, cause)).failure();
      delivery.fail(failure != null ? failure : cause);
    }
  }

  /** Whether work or fallback ended in it: it is theirs, whatever its type. */
  private boolean isThrownHere(Throwable cause) {
    return cause == thrown() || cause == fallbackError;
  }

  private ExecutionResult ended(ExecutionResult before, @Nullable Throwable cause) {
    ExecutionResult.EventCounts soFar = withItems(before.getEventCounts());
    EnumSet<HystrixEventType> events = EnumSet.noneOf(HystrixEventType.class);
    events.addAll(soFar.events()); // why the fallback began, if it did
    Exception standIn = before.getExecutionException();
    Exception own = before.getException();
    if (cause == null) {
      events.add(fallbackBegun ? HystrixEventType.FALLBACK_SUCCESS : HystrixEventType.SUCCESS);
    } else if (!fallbackBegun) {
      HystrixEventType why = Failures.eventOf(cause, thrown());
      events.add(why);
      standIn = Failures.standIn(why, cause);
      own = why == HystrixEventType.FAILURE ? standIn : null;
      if (asksFallback(why, cause) && known().isOn(CommandProperties.FALLBACK_ENABLED)) {
        events.add(HystrixEventType.FALLBACK_REJECTION); // it is on, and did not begin
      }
    } else {
      events.add(
          fallbackError instanceof UnsupportedOperationException
              ? HystrixEventType.FALLBACK_MISSING
              : HystrixEventType.FALLBACK_FAILURE);
    }
    boolean reached = reached(events);
    ExecutionResult.EventCounts counts = counts(events, soFar);
    Throwable failure =
        cause == null
            ? null
            : Failures.of(this, events, cause, Objects.requireNonNull(standIn), fallbackError);
    return new ExecutionResult(counts, reached ? elapsedMillis() : -1, own, standIn, failure, true);
  }

  @Override
  ExecutionResult.EventCounts withItems(ExecutionResult.EventCounts before) {
    int items = emissions.get();
    int fallbackItems = fallbackEmissions.get();
    EnumSet<HystrixEventType> events = EnumSet.noneOf(HystrixEventType.class);
    events.addAll(before.events());
    if (items > 0) {
      events.add(HystrixEventType.EMIT);
    }
    if (fallbackItems > 0) {
      events.add(HystrixEventType.FALLBACK_EMIT);
    }
    return new ExecutionResult.EventCounts(
        events, items, fallbackItems, before.getCount(HystrixEventType.COLLAPSED));
  }

  private static final ClassValue<Boolean> FALLBACKS =
      new DeclaresMethod(HystrixObservableCommand.class, "resumeWithFallback");

  @Override
  final boolean hasFallback() {
    return FALLBACKS.get(getClass());
  }

  private static boolean asksFallback(HystrixEventType why, Throwable cause) {
    return why != HystrixEventType.BAD_REQUEST
        && !(why == HystrixEventType.FAILURE && Failures.asksNoFallback(cause));
  }
}
