// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.hystrix.exception.HystrixRuntimeException.FailureType;
import dev.tenrec.hystrix.strategy.executionhook.HystrixCommandExecutionHook;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one execution, as its hook hears of them: each deprecated one in its place beside
 * that which replaced it. Those with a {@link HystrixCommand} come first, and only for one.
 */
@SuppressWarnings({"deprecation", "NullAway"}) // hooks may override them; a value may be null
final class HookSteps {

  private final HystrixCommandExecutionHook hook;
  private final HystrixInvokable<@Nullable Object> command;

  /** The same, if it is one. */
  private final @Nullable HystrixCommand<@Nullable Object> single;

  @SuppressWarnings("unchecked") // what it brings is handed from its own steps to the hook's
  HookSteps(HystrixCommandExecutionHook hook, AbstractCommand<?> command) {
    this.hook = hook;
    this.command = (HystrixInvokable<@Nullable Object>) command;
    this.single =
        command instanceof HystrixCommand<?> ? (HystrixCommand<@Nullable Object>) command : null;
  }

  void onStart() {
    if (single != null) {
      hook.onStart(single);
    }
    hook.onStart(command);
  }

  void onThreadStart() {
    if (single != null) {
      hook.onThreadStart(single);
    }
    hook.onThreadStart(command);
  }

  void onThreadComplete() {
    if (single != null) {
      hook.onThreadComplete(single);
    }
    hook.onThreadComplete(command);
  }

  void onExecutionStart() {
    if (single != null) {
      hook.onRunStart(single);
    }
    hook.onRunStart(command);
    hook.onExecutionStart(command);
  }

  @Nullable Object onExecutionEmit(@Nullable Object value) {
    return hook.onExecutionEmit(command, value);
  }

  @Nullable Object onRunSuccess(@Nullable Object value) {
    return hook.onRunSuccess(command, single == null ? value : hook.onRunSuccess(single, value));
  }

  Exception onExecutionError(Exception e) {
    return hook.onExecutionError(command, e);
  }

  Exception onRunError(Exception e) {
    return hook.onRunError(command, single == null ? e : hook.onRunError(single, e));
  }

  void onExecutionSuccess() {
    hook.onExecutionSuccess(command);
  }

  void onFallbackStart() {
    if (single != null) {
      hook.onFallbackStart(single);
    }
    hook.onFallbackStart(command);
  }

  @Nullable Object onFallbackEmit(@Nullable Object value) {
    return hook.onFallbackEmit(command, value);
  }

  @Nullable Object onFallbackValue(@Nullable Object value) {
    return hook.onFallbackSuccess(
        command, single == null ? value : hook.onFallbackSuccess(single, value));
  }

  Exception onFallbackError(Exception e) {
    return hook.onFallbackError(command, single == null ? e : hook.onFallbackError(single, e));
  }

  void onFallbackSuccess() {
    hook.onFallbackSuccess(command);
  }

  @Nullable Object onComplete(@Nullable Object value) {
    return hook.onComplete(command, single == null ? value : hook.onComplete(single, value));
  }

  @Nullable Object onEmit(@Nullable Object value) {
    return hook.onEmit(command, value);
  }

  Exception onError(FailureType type, Exception e) {
    return hook.onError(command, type, single == null ? e : hook.onError(single, type, e));
  }

  void onSuccess() {
    hook.onSuccess(command);
  }

  void onCacheHit() {
    hook.onCacheHit(command);
  }

  void onUnsubscribe() {
    hook.onUnsubscribe(command);
  }

  @Override
  public String toString() {
    return hook.toString();
  }
}
