// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.executionhook;

import dev.tenrec.hystrix.HystrixCommand;
import dev.tenrec.hystrix.HystrixInvokable;
import dev.tenrec.hystrix.exception.HystrixRuntimeException.FailureType;
import org.jspecify.annotations.Nullable;

/**
 * Is called at each step of each execution, on the thread of the step, before it goes on; override
 * what is of interest. Registered with {@link
 * dev.tenrec.hystrix.strategy.HystrixPlugins#registerCommandExecutionHook}. Thread-safe.
 *
 * <p>The steps of one execution, in order:
 *
 * <ul>
 *   <li>The work answers: start, thread start, execution start, execution emit, emit, execution
 *       success, thread complete, success. The two of the thread come on a pool only. Of an
 *       observable command both emits come with each item.
 *   <li>The work fails: execution error, and thread complete, in their place; then the fallback's
 *       steps, or error.
 *   <li>It times out: thread complete at the time-out; then the fallback's steps, or error. No step
 *       says how the work ends after that.
 *   <li>It is refused: start, then the fallback's steps, or error.
 *   <li>The fallback's steps: fallback start, fallback emit, emit, fallback success, success; or
 *       fallback start, fallback error, error. A class without a fallback has error alone.
 *   <li>It is given up: what came until then, unsubscribe, thread complete.
 *   <li>The request's cache answers: cache hit alone.
 * </ul>
 *
 * <p>What {@link #onStart(HystrixInvokable)} throws ends the execution, without its fallback. What
 * {@link #onThreadStart(HystrixInvokable)}, {@link #onExecutionStart} and {@link
 * #onFallbackStart(HystrixInvokable)} throw counts as thrown by the work or the fallback. What the
 * others throw is logged, and changes nothing.
 *
 * <p>The steps of the ending come on the thread that learns of it first. That may be the one that
 * queues the execution or takes its answer, so a step must not wait for what that thread does next.
 */
@SuppressWarnings("InlineMeSuggester") // deprecated steps are to be overridden, not called
public abstract class HystrixCommandExecutionHook {

  /** One that does nothing yet. */
  protected HystrixCommandExecutionHook() {}

  /** An execution begins. On its caller's thread. */
  public <T extends @Nullable Object> void onStart(HystrixInvokable<T> commandInstance) {}

  /**
   * There is an item for the caller, whether of the work or of the fallback.
   *
   * @return what the caller gets in its place
   */
  public <T extends @Nullable Object> T onEmit(HystrixInvokable<T> commandInstance, T value) {
    return value;
  }

  /**
   * The caller gets an exception.
   *
   * @param e why the work did not answer
   * @return what stands in its place; for a bad request only another one is taken
   */
  public <T extends @Nullable Object> Exception onError(
      HystrixInvokable<T> commandInstance, FailureType failureType, Exception e) {
    return e;
  }

  /** The caller has its answer, of the work or of the fallback. */
  public <T extends @Nullable Object> void onSuccess(HystrixInvokable<T> commandInstance) {}

  /** A thread of a pool has taken the execution. On that thread. */
  public <T extends @Nullable Object> void onThreadStart(HystrixInvokable<T> commandInstance) {}

  /** The thread is done with it; at a time-out, on the thread that answers for it. */
  public <T extends @Nullable Object> void onThreadComplete(HystrixInvokable<T> commandInstance) {}

  /** The work is about to run. */
  public <T extends @Nullable Object> void onExecutionStart(HystrixInvokable<T> commandInstance) {}

  /**
   * The work brings an item.
   *
   * @return what is used in its place
   */
  public <T extends @Nullable Object> T onExecutionEmit(
      HystrixInvokable<T> commandInstance, T value) {
    return value;
  }

  /**
   * The work fails.
   *
   * @return what it fails by instead
   */
  public <T extends @Nullable Object> Exception onExecutionError(
      HystrixInvokable<T> commandInstance, Exception e) {
    return e;
  }

  /** The work has ended well. */
  public <T extends @Nullable Object> void onExecutionSuccess(
      HystrixInvokable<T> commandInstance) {}

  /** The fallback is about to run. */
  public <T extends @Nullable Object> void onFallbackStart(HystrixInvokable<T> commandInstance) {}

  /**
   * The fallback brings an item.
   *
   * @return what is used in its place
   */
  public <T extends @Nullable Object> T onFallbackEmit(
      HystrixInvokable<T> commandInstance, T value) {
    return value;
  }

  /**
   * The fallback fails.
   *
   * @return what it fails by instead
   */
  public <T extends @Nullable Object> Exception onFallbackError(
      HystrixInvokable<T> commandInstance, Exception e) {
    return e;
  }

  /** The fallback has ended well. */
  public <T extends @Nullable Object> void onFallbackSuccess(HystrixInvokable<T> commandInstance) {}

  /** Another execution of the request answers for this one. */
  public <T extends @Nullable Object> void onCacheHit(HystrixInvokable<T> commandInstance) {}

  /** The caller has given it up. */
  public <T extends @Nullable Object> void onUnsubscribe(HystrixInvokable<T> commandInstance) {}

  // Deprecated by Hystrix, and called all the same.

  /**
   * The work is about to run: before {@link #onExecutionStart}.
   *
   * @deprecated use {@link #onExecutionStart}
   */
  @Deprecated
  public <T extends @Nullable Object> void onRunStart(HystrixInvokable<T> commandInstance) {}

  /**
   * The work brings an item: after {@link #onExecutionEmit}.
   *
   * @return what is used in its place
   * @deprecated use {@link #onExecutionEmit}
   */
  @Deprecated
  public <T extends @Nullable Object> T onRunSuccess(HystrixInvokable<T> commandInstance, T value) {
    return value;
  }

  /**
   * The work fails: after {@link #onExecutionError}.
   *
   * @return what is used in its place
   * @deprecated use {@link #onExecutionError}
   */
  @Deprecated
  public <T extends @Nullable Object> Exception onRunError(
      HystrixInvokable<T> commandInstance, Exception e) {
    return e;
  }

  /**
   * The fallback brings an item: after {@link #onFallbackEmit}.
   *
   * @return what is used in its place
   * @deprecated use {@link #onFallbackEmit}
   */
  @Deprecated
  public <T extends @Nullable Object> T onFallbackSuccess(
      HystrixInvokable<T> commandInstance, T value) {
    return value;
  }

  /**
   * There is an item for the caller: before {@link #onEmit}.
   *
   * @return what is used in its place
   * @deprecated use {@link #onEmit}
   */
  @Deprecated
  public <T extends @Nullable Object> T onComplete(HystrixInvokable<T> commandInstance, T value) {
    return value;
  }

  /**
   * As the step with a {@code HystrixInvokable}, before it; for a {@link HystrixCommand} alone.
   *
   * @deprecated use {@link #onStart(HystrixInvokable)}
   */
  @Deprecated
  public <T extends @Nullable Object> void onStart(HystrixCommand<T> commandInstance) {}

  /**
   * As the step with a {@code HystrixInvokable}, before it; for a {@link HystrixCommand} alone.
   *
   * @deprecated use {@link #onThreadStart(HystrixInvokable)}
   */
  @Deprecated
  public <T extends @Nullable Object> void onThreadStart(HystrixCommand<T> commandInstance) {}

  /**
   * As the step with a {@code HystrixInvokable}, before it; for a {@link HystrixCommand} alone.
   *
   * @deprecated use {@link #onThreadComplete(HystrixInvokable)}
   */
  @Deprecated
  public <T extends @Nullable Object> void onThreadComplete(HystrixCommand<T> commandInstance) {}

  /**
   * As the step with a {@code HystrixInvokable}, before it; for a {@link HystrixCommand} alone.
   *
   * @deprecated use {@link #onExecutionStart}
   */
  @Deprecated
  public <T extends @Nullable Object> void onRunStart(HystrixCommand<T> commandInstance) {}

  /**
   * As the step with a {@code HystrixInvokable}, before it; for a {@link HystrixCommand} alone.
   *
   * @return what is used in its place
   * @deprecated use {@link #onExecutionEmit}
   */
  @Deprecated
  public <T extends @Nullable Object> T onRunSuccess(HystrixCommand<T> commandInstance, T value) {
    return value;
  }

  /**
   * As the step with a {@code HystrixInvokable}, before it; for a {@link HystrixCommand} alone.
   *
   * @return what is used in its place
   * @deprecated use {@link #onExecutionError}
   */
  @Deprecated
  public <T extends @Nullable Object> Exception onRunError(
      HystrixCommand<T> commandInstance, Exception e) {
    return e;
  }

  /**
   * As the step with a {@code HystrixInvokable}, before it; for a {@link HystrixCommand} alone.
   *
   * @deprecated use {@link #onFallbackStart(HystrixInvokable)}
   */
  @Deprecated
  public <T extends @Nullable Object> void onFallbackStart(HystrixCommand<T> commandInstance) {}

  /**
   * As the step with a {@code HystrixInvokable}, before it; for a {@link HystrixCommand} alone.
   *
   * @return what is used in its place
   * @deprecated use {@link #onFallbackEmit}
   */
  @Deprecated
  public <T extends @Nullable Object> T onFallbackSuccess(
      HystrixCommand<T> commandInstance, T value) {
    return value;
  }

  /**
   * As the step with a {@code HystrixInvokable}, before it; for a {@link HystrixCommand} alone.
   *
   * @return what is used in its place
   * @deprecated use {@link #onFallbackError(HystrixInvokable, Exception)}
   */
  @Deprecated
  public <T extends @Nullable Object> Exception onFallbackError(
      HystrixCommand<T> commandInstance, Exception e) {
    return e;
  }

  /**
   * As the step with a {@code HystrixInvokable}, before it; for a {@link HystrixCommand} alone.
   *
   * @return what is used in its place
   * @deprecated use {@link #onEmit}
   */
  @Deprecated
  public <T extends @Nullable Object> T onComplete(HystrixCommand<T> commandInstance, T value) {
    return value;
  }

  /**
   * As the step with a {@code HystrixInvokable}, before it; for a {@link HystrixCommand} alone.
   *
   * @return what is used in its place
   * @deprecated use {@link #onError(HystrixInvokable, FailureType, Exception)}
   */
  @Deprecated
  public <T extends @Nullable Object> Exception onError(
      HystrixCommand<T> commandInstance, FailureType failureType, Exception e) {
    return e;
  }
}
