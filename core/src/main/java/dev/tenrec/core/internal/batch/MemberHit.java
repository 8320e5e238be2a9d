// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.internal.context.CallContext;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.metrics.event.EventType;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A collapser's call that shares another's answer, as listeners see it. Made where there are
 * listeners only, on the caller's thread.
 */
final class MemberHit implements ListenedCall {

  private final CollapserRuntime runtime;
  private final @Nullable Object argument;
  private final CallContext context;
  private final long startNanos;

  /** Written before it is reported; 0 until then. */
  private long endNanos;

  MemberHit(CollapserRuntime runtime, @Nullable Object argument) {
    this.runtime = runtime;
    this.argument = argument;
    this.context = CallContext.capture(runtime.command.engine.propagators());
    this.startNanos = runtime.now();
  }

  /** It has its answer: reported in the share of the batch command. */
  void ended(@Nullable Object value, @Nullable Throwable error) {
    endNanos = runtime.now();
    runtime
        .command
        .callbacks()
        .execute(
            CallbackTask.of(
                () -> runtime.command.engine.listeners().memberHit(this, context, value, error)));
  }

  @Override
  public String commandKey() {
    return runtime.key();
  }

  @Override
  public String group() {
    return runtime.command.group();
  }

  @Override
  public @Nullable Object argument() {
    return argument;
  }

  @Override
  public IsolationStrategy isolation() {
    return runtime.command.settings().isolationStrategy();
  }

  @Override
  public Duration elapsed() {
    return Duration.ofNanos(endNanos - startNanos);
  }

  @Override
  public @Nullable Duration executionLatency() {
    return null;
  }

  @Override
  public List<EventType> events() {
    return List.of(EventType.RESPONSE_FROM_CACHE);
  }
}
