// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.context.ContextPropagator;
import dev.tenrec.core.outcome.CommandFailedException;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.hystrix.exception.HystrixBadRequestException;
import dev.tenrec.hystrix.exception.HystrixRuntimeException;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.core.ObservableEmitter;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.subjects.ReplaySubject;
import java.util.Collection;
import java.util.Collections;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls for one thing each that come within a short window become one batch, which a command of the
 * user's answers. What instances of one key share (settings, scope, open batches) begins with the
 * first of them; a batch is made by its first call's instance.
 *
 * @param <BatchReturnType> what the batch command answers
 * @param <ResponseType> what one call is answered
 * @param <RequestArgumentType> what one call asks with; equal ones are asked once
 */
public abstract class HystrixCollapser<
        BatchReturnType extends @Nullable Object,
        ResponseType extends @Nullable Object,
        RequestArgumentType extends @Nullable Object>
    implements HystrixExecutable<ResponseType>, HystrixObservable<ResponseType> {

  /** Which calls share batches. */
  public enum Scope {
    /** Those of one request. */
    REQUEST,
    /** All of this process; a batch is at the request of its first call. */
    GLOBAL
  }

  /**
   * One call in a batch, to be answered once.
   *
   * @param <ResponseType> what it is answered
   * @param <RequestArgumentType> what it asks with
   */
  public interface CollapsedRequest<
      ResponseType extends @Nullable Object, RequestArgumentType extends @Nullable Object> {

    /** What it asks with. */
    RequestArgumentType getArgument();

    /**
     * Answers it.
     *
     * @throws IllegalStateException if it has been answered
     */
    void setResponse(ResponseType response);

    /** As {@link #setResponse}: a call of this collapser has one answer. */
    void emitResponse(ResponseType response);

    /**
     * Fails it.
     *
     * @throws IllegalStateException if it has been answered
     */
    void setException(Exception exception);

    /** It is answered; with null, if nothing was said before. */
    void setComplete();
  }

  private final HystrixCollapserKey key;
  private final Scope scope;
  private final HystrixCollapserProperties.@Nullable Setter properties;

  /** Per request; the class's simple name is the key. */
  protected HystrixCollapser() {
    this(null, Scope.REQUEST, null);
  }

  /** Per request. */
  protected HystrixCollapser(HystrixCollapserKey collapserKey) {
    this(collapserKey, Scope.REQUEST, null);
  }

  /** As the setter says. */
  protected HystrixCollapser(Setter setter) {
    this(setter.key, setter.scope, setter.properties);
  }

  private HystrixCollapser(
      @Nullable HystrixCollapserKey key,
      Scope scope,
      HystrixCollapserProperties.@Nullable Setter properties) {
    this.key =
        key != null && !key.name().isBlank()
            ? key
            : HystrixCollapserKey.Factory.asKey(CommandDescription.nameOf(getClass()));
    this.scope = scope;
    this.properties = properties;
  }

  /** What an instance says of its collapser. Not thread-safe; may be used for many instances. */
  public static final class Setter {

    private final HystrixCollapserKey key;
    private Scope scope = Scope.REQUEST;
    private HystrixCollapserProperties.@Nullable Setter properties;

    private Setter(HystrixCollapserKey key) {
      this.key = key;
    }

    /** Begins with the key. */
    public static Setter withCollapserKey(HystrixCollapserKey collapserKey) {
      return new Setter(collapserKey);
    }

    /** Which calls share batches; those of one request unless it is given. */
    public Setter andScope(Scope scope) {
      this.scope = Objects.requireNonNull(scope, "scope");
      return this;
    }

    /** Settings of the collapser. */
    public Setter andCollapserPropertiesDefaults(
        HystrixCollapserProperties.Setter propertiesDefaults) {
      this.properties = propertiesDefaults;
      return this;
    }
  }

  // What users write.

  /** What this call asks with. */
  public abstract RequestArgumentType getRequestArgument();

  /** Makes the command that answers for these calls; a new one each time. */
  protected abstract HystrixCommand<BatchReturnType> createCommand(
      Collection<CollapsedRequest<ResponseType, RequestArgumentType>> requests);

  /** Answers each of these calls from what the command has answered. */
  protected abstract void mapResponseToRequests(
      BatchReturnType batchResponse,
      Collection<CollapsedRequest<ResponseType, RequestArgumentType>> requests);

  /** Divides a batch; each part gets a command of its own. Unless it is overridden, one does. */
  protected Collection<Collection<CollapsedRequest<ResponseType, RequestArgumentType>>>
      shardRequests(Collection<CollapsedRequest<ResponseType, RequestArgumentType>> requests) {
    return Collections.singletonList(requests);
  }

  /**
   * By what calls of one request are equal, so that one answer serves all, also after its batch;
   * null, unless it is overridden: by nothing.
   */
  protected @Nullable String getCacheKey() {
    return null;
  }

  // The doors.

  /**
   * Joins a batch and waits for the answer.
   *
   * @throws dev.tenrec.hystrix.exception.HystrixRuntimeException what the batch command failed with
   * @throws RuntimeException what this call was failed with; a checked exception is its cause
   */
  @Override
  public ResponseType execute() {
    try {
      return answer(at(collapser -> collapser.execute(call())));
    } catch (HystrixRuntimeException | HystrixBadRequestException known) {
      throw known;
    } catch (CommandFailedException checked) {
      throw failed(checked.getCause());
    } catch (RuntimeException thrown) {
      throw failed(thrown);
    }
  }

  private RuntimeException failed(@Nullable Throwable cause) {
    return new RuntimeException(
        getClass().getSimpleName() + " HystrixCollapser failed while executing.", cause);
  }

  /** Joins a batch. Cancelling the future leaves it, unless it has started. */
  @Override
  public Future<ResponseType> queue() {
    try {
      @SuppressWarnings("unchecked") // what mapResponseToRequests of this collapser answered
      Future<ResponseType> future =
          (Future<ResponseType>) at(collapser -> collapser.executeAsync(call()));
      return future;
    } catch (IllegalStateException thrown) { // no request
      return CompletableFuture.failedFuture(thrown);
    }
  }

  /** Joins a batch now, and replays the answer to each subscriber. A null answer is none. */
  @Override
  public Observable<ResponseType> observe() {
    ReplaySubject<ResponseType> all = ReplaySubject.create();
    Disposable source = toObservable().subscribe(all::onNext, all::onError, all::onComplete);
    return all.doOnDispose(source::dispose);
  }

  /** Joins a batch when it is subscribed to, for each subscriber. A null answer is none. */
  @Override
  public Observable<ResponseType> toObservable() {
    return Observable.create(
        emitter -> {
          HystrixRequestContext request = HystrixRequestContext.getContextForCurrentThread();
          emitter.setDisposable(
              at(collapser -> collapser.execute(call(), new Answer(emitter, request))));
        });
  }

  /** Brings the answer to an observer, at its request. */
  private final class Answer implements Receiver<@Nullable Object> {

    private final ObservableEmitter<ResponseType> emitter;
    private final @Nullable HystrixRequestContext request;

    Answer(ObservableEmitter<ResponseType> emitter, @Nullable HystrixRequestContext request) {
      this.emitter = emitter;
      this.request = request;
    }

    @Override
    public void onValue(@Nullable Object value) {
      atRequest(
          () -> {
            ResponseType answer = answer(value);
            if (answer != null) {
              emitter.onNext(answer);
            }
            emitter.onComplete();
          });
    }

    @Override
    public void onError(Throwable error) {
      atRequest(
          () -> {
            boolean unused = emitter.tryOnError(error);
          });
    }

    private void atRequest(Runnable code) {
      HystrixRequestContext before = HystrixRequestContext.getContextForCurrentThread();
      HystrixRequestContext.setContextOnCurrentThread(request);
      try {
        code.run();
      } finally {
        HystrixRequestContext.setContextOnCurrentThread(before);
      }
    }
  }

  private CollapserCall call() {
    return new CollapserCall(
        this,
        getRequestArgument(),
        HystrixRequestContext.getContextForCurrentThread(),
        getCacheKey());
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // what mapResponseToRequests answered, null or not
  private ResponseType answer(@Nullable Object value) {
    return (ResponseType) value;
  }

  /** With the collapser, within the Tenrec's request if there is one. */
  private <T extends @Nullable Object> T at(
      Function<Collapser<CollapserCall, @Nullable Object>, T> use) {
    KnownKeys keys = HystrixTenrec.known();
    KnownCollapser known =
        keys.collapsers.computeIfAbsent(
            key.name(), absent -> new KnownCollapser(keys, key, scope, properties));
    if (!HystrixRequestContext.isCurrentThreadInitialized()) {
      if (scope == Scope.REQUEST || getCacheKey() != null) {
        throw HystrixRequestCache.noRequest(key.name());
      }
      return use.apply(known.collapser);
    }
    try (ContextPropagator.Scope entered = keys.request.get().enter()) {
      return use.apply(known.collapser);
    }
  }

  // What can be asked.

  /** The collapser's key. */
  public HystrixCollapserKey getCollapserKey() {
    return key;
  }

  /** Which calls share batches. */
  public Scope getScope() {
    return scope;
  }

  /** The counts of the collapser; null before its first call. */
  public @Nullable HystrixCollapserMetrics getMetrics() {
    return HystrixCollapserMetrics.getInstance(key);
  }
}
