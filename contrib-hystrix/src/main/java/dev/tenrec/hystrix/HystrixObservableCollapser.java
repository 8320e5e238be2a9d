// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.hystrix.HystrixCollapser.CollapsedRequest;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.core.ObservableEmitter;
import io.reactivex.rxjava3.disposables.CompositeDisposable;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.disposables.SerialDisposable;
import io.reactivex.rxjava3.functions.Function;
import java.util.Collection;
import java.util.Collections;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Calls for one thing each that come within a short window become one batch. An observable command
 * of the user's answers it, item by item. Each item goes to the calls whose key is the item's, as
 * soon as it is there, or has been brought by the thread that subscribed to the command. What
 * instances of one key share (settings, scope, open batches) begins with the first of them; a batch
 * is made by its first call's instance.
 *
 * <p>Disposing of a call before its batch begins leaves the batch; after that the batch goes on.
 *
 * @param <K> by what items belong to calls
 * @param <BatchReturnType> one item of the batch command
 * @param <ResponseType> one item of a call
 * @param <RequestArgumentType> what one call asks with; equal ones are asked once
 */
public abstract class HystrixObservableCollapser<
        K, BatchReturnType, ResponseType, RequestArgumentType extends @Nullable Object>
    extends AbstractCollapser<ResponseType> {

  /** Which calls share batches. */
  public enum Scope {
    /** Those of one request. */
    REQUEST,
    /** All of this process; a batch is at the request of its first call. */
    GLOBAL
  }

  private final Scope scope;

  /** Per request; the class's simple name is the key. */
  protected HystrixObservableCollapser() {
    this(null, Scope.REQUEST, null);
  }

  /** Per request. */
  protected HystrixObservableCollapser(HystrixCollapserKey collapserKey) {
    this(collapserKey, Scope.REQUEST, null);
  }

  /** As the setter says. */
  protected HystrixObservableCollapser(Setter setter) {
    this(setter.key, setter.scope, setter.properties);
  }

  private HystrixObservableCollapser(
      @Nullable HystrixCollapserKey key,
      Scope scope,
      HystrixCollapserProperties.@Nullable Setter properties) {
    super(key, scope == Scope.GLOBAL, properties);
    this.scope = scope;
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
  protected abstract HystrixObservableCommand<BatchReturnType> createCommand(
      Collection<CollapsedRequest<ResponseType, RequestArgumentType>> requests);

  /** The key of an item. */
  protected abstract Function<BatchReturnType, K> getBatchReturnTypeKeySelector();

  /** The key of an argument. */
  protected abstract Function<RequestArgumentType, K> getRequestArgumentKeySelector();

  /** What a call gets of an item. */
  protected abstract Function<BatchReturnType, ResponseType>
      getBatchReturnTypeToResponseTypeMapper();

  /**
   * No item came for this call, and the batch command has ended: it may be answered, or failed.
   * What is neither completes without an item. What this throws is the cause of what the call fails
   * with.
   */
  protected abstract void onMissingResponse(
      CollapsedRequest<ResponseType, RequestArgumentType> request);

  /** Divides a batch; each part gets a command of its own. Unless it is overridden, one does. */
  protected Collection<Collection<CollapsedRequest<ResponseType, RequestArgumentType>>>
      shardRequests(Collection<CollapsedRequest<ResponseType, RequestArgumentType>> requests) {
    return Collections.singletonList(requests);
  }

  /**
   * By what calls of one request are equal, so that the items of one are replayed to all, also
   * after its batch; null, unless it is overridden: by nothing.
   */
  protected @Nullable String getCacheKey() {
    return null;
  }

  // The doors.

  /** Joins a batch when it is subscribed to, for each subscriber. */
  @Override
  public Observable<ResponseType> toObservable() {
    return Observable.create(
        emitter -> {
          CollapserCall call =
              new CollapserCall(
                  calls -> ObservableBatch.start(this, calls), getRequestArgument(), getCacheKey());
          Items items = new Items(emitter, call);
          emitter.setDisposable(
              enter(call, collapser -> items.leaving(collapser.execute(call, items))));
        });
  }

  /** Brings the items of one call to its observer, at its request. */
  private final class Items implements Receiver<@Nullable Object> {

    private final ObservableEmitter<ResponseType> emitter;
    private final CollapserCall call;

    /** What is subscribed to once the batch has begun. */
    private final SerialDisposable subscription = new SerialDisposable();

    Items(ObservableEmitter<ResponseType> emitter, CollapserCall call) {
      this.emitter = emitter;
      this.call = call;
    }

    /** Leaves the batch, or gives up its items, whichever there is. */
    Disposable leaving(Disposable member) {
      return new CompositeDisposable(member, subscription);
    }

    @Override
    @SuppressWarnings("unchecked") // it is what ObservableBatch of this collapser answers
    public void onValue(@Nullable Object value) {
      Observable<ResponseType> items =
          (Observable<ResponseType>) Objects.requireNonNull(value, "value");
      subscription.set(
          items.subscribe(
              item -> call.atRequest(() -> emitter.onNext(item)),
              this::onError,
              () -> call.atRequest(emitter::onComplete)));
    }

    @Override
    public void onError(Throwable error) {
      call.atRequest(
          () -> {
            boolean unused = emitter.tryOnError(error);
          });
    }
  }

  // What can be asked.

  /** Which calls share batches. */
  public Scope getScope() {
    return scope;
  }
}
