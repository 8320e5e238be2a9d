// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.outcome.CommandFailedException;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.hystrix.exception.HystrixBadRequestException;
import dev.tenrec.hystrix.exception.HystrixRuntimeException;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.core.ObservableEmitter;
import java.util.Collection;
import java.util.Collections;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
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
    extends AbstractCollapser<ResponseType> implements HystrixExecutable<ResponseType> {

  /** Which calls share batches. */
  public enum Scope {
    /** Those of one request. */
    REQUEST,
    /** All of this process; a batch is at the request of its first call. */
    GLOBAL
  }

  /**
   * One call in a batch, to be answered: by {@link #setResponse} or {@link #setException}, once, or
   * by any number of {@link #emitResponse} and then one of the others. Of a {@link
   * HystrixCollapser} this has its time while {@link HystrixCollapser#mapResponseToRequests} runs.
   *
   * @param <ResponseType> what it is answered
   * @param <RequestArgumentType> what it asks with
   */
  public interface CollapsedRequest<
      ResponseType extends @Nullable Object, RequestArgumentType extends @Nullable Object> {

    /** What it asks with. */
    RequestArgumentType getArgument();

    /**
     * One more item, and the end: of a call that has no other item, its answer.
     *
     * @throws IllegalStateException if it has ended
     */
    void setResponse(ResponseType response);

    /**
     * One more item. Where several come, {@code toObservable} and {@code observe} bring all of
     * them, while {@code execute} and {@code queue}, which have one answer, fail with an {@link
     * IllegalArgumentException}. Of a {@link HystrixCollapser} it ends with the mapping, if nothing
     * else ends it.
     *
     * @throws IllegalStateException if it has ended
     */
    void emitResponse(ResponseType response);

    /**
     * Fails it, after the items that came before.
     *
     * @throws IllegalStateException if it has ended
     */
    void setException(Exception exception);

    /** It has ended; with null, or without an item, if nothing was said before. */
    void setComplete();
  }

  private final Scope scope;

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
  protected abstract HystrixCommand<BatchReturnType> createCommand(
      Collection<CollapsedRequest<ResponseType, RequestArgumentType>> requests);

  /** Answers each of these calls from what the command has answered. */
  protected abstract void mapResponseToRequests(
      BatchReturnType batchResponse,
      Collection<CollapsedRequest<ResponseType, RequestArgumentType>> requests);

  /**
   * Divides a batch; each part gets a command of its own, and its calls are answered when that has
   * ended. Commands that run on the thread that makes them, as under a semaphore, run one after the
   * other, and all calls are answered after them. Unless it is overridden, one command does.
   */
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
      Object value = at((collapser, call) -> collapser.execute(call));
      if (value instanceof ShardAnswer answer) {
        value = answer.await(keyName());
      }
      if (value instanceof Emissions several) {
        throw Failures.thrown(several.failure(keyName()));
      }
      return answer(value);
    } catch (HystrixRuntimeException | HystrixBadRequestException known) {
      throw known;
    } catch (CommandFailedException checked) {
      throw failed(checked.getCause());
    } catch (Exception thrown) {
      throw failed(thrown);
    }
  }

  private RuntimeException failed(@Nullable Throwable cause) {
    return new RuntimeException(
        getClass().getSimpleName() + " HystrixCollapser failed while executing.", cause);
  }

  /**
   * Joins a batch. Cancelling the future leaves it, unless it has started. What keeps the call from
   * joining (no request, an argument or a cache key that throws) fails the future, and so does, by
   * an {@link IllegalStateException}, a request that ends before the batch starts.
   */
  @Override
  public Future<ResponseType> queue() {
    try {
      return new CollapsedFuture<>(keyName(), new ShardedFuture(at(Collapser::executeAsync)));
    } catch (RuntimeException thrown) { // no request, or what the user's argument throws
      return CompletableFuture.failedFuture(thrown);
    }
  }

  /** Joins a batch when it is subscribed to, for each subscriber. A null answer is none. */
  @Override
  public Observable<ResponseType> toObservable() {
    return Observable.create(
        emitter ->
            emitter.setDisposable(
                at((collapser, call) -> collapser.execute(call, new Answer(emitter, call)))));
  }

  /** Brings the answer to an observer, at its request. */
  private final class Answer implements Receiver<@Nullable Object> {

    private final ObservableEmitter<ResponseType> emitter;
    private final CollapserCall call;

    Answer(ObservableEmitter<ResponseType> emitter, CollapserCall call) {
      this.emitter = emitter;
      this.call = call;
    }

    @Override
    public void onValue(@Nullable Object value) {
      if (value instanceof ShardAnswer answer) {
        var unused = answer.whenComplete(this::onEnding);
      } else {
        onAnswer(value);
      }
    }

    private void onEnding(@Nullable Object value, @Nullable Throwable error) {
      if (error != null) {
        onError(error);
      } else {
        onAnswer(value);
      }
    }

    private void onAnswer(@Nullable Object value) {
      call.atRequest(
          () -> {
            if (value instanceof Emissions several) {
              several.items().forEach(this::item);
              Throwable error = several.error();
              if (error != null) {
                boolean unused = emitter.tryOnError(error);
                return;
              }
            } else {
              item(value);
            }
            emitter.onComplete();
          });
    }

    private void item(@Nullable Object value) {
      ResponseType item = answer(value);
      if (item != null) { // an observable has no null
        emitter.onNext(item);
      }
    }

    @Override
    public void onError(Throwable error) {
      call.atRequest(
          () -> {
            boolean unused = emitter.tryOnError(error);
          });
    }
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // what mapResponseToRequests answered, null or not
  private ResponseType answer(@Nullable Object value) {
    return (ResponseType) value;
  }

  private <T extends @Nullable Object> T at(
      BiFunction<Collapser<CollapserCall, @Nullable Object>, CollapserCall, T> use) {
    CollapserCall call =
        new CollapserCall(
            calls -> CollapserBatch.start(this, calls), getRequestArgument(), getCacheKey());
    return enter(call, collapser -> use.apply(collapser, call));
  }

  // What can be asked.

  /** Which calls share batches. */
  public Scope getScope() {
    return scope;
  }
}
