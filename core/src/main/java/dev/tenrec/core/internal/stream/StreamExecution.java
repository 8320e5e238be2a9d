// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.stream;

import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.Listeners;
import dev.tenrec.core.internal.call.LoadedEarly;
import dev.tenrec.core.internal.call.Pipeline;
import dev.tenrec.core.internal.context.CommandLog;
import dev.tenrec.core.internal.flight.FlightCall;
import dev.tenrec.core.internal.gate.Plan;
import dev.tenrec.core.internal.timeout.Timeout;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.CommandTimeoutException.Limit;
import dev.tenrec.metrics.event.EventType;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/**
 * One subscription to a stream command. Its work is a stage, that of the stream's end; the items go
 * past the engine, through a {@link StreamBridge}.
 *
 * @param <A> what the command is subscribed with
 * @param <R> one item
 */
public final class StreamExecution<A extends @Nullable Object, R extends @Nullable Object>
    extends Execution<A, R> implements StreamBridgeOwner {

  static {
    LoadedEarly.initialize(
        MethodHandles.lookup(),
        ItemFate.class,
        StreamFaults.Place.class,
        StreamBridge.LastWord.class,
        UpstreamSubscriber.class);
  }

  final StreamBridge<R> bridge;

  StreamExecution(
      Pipeline<A, R> pipeline, Plan plan, A argument, StreamBridge<R> bridge, long startNanos) {
    super(pipeline, plan, argument, bridge, false, startNanos);
    this.bridge = bridge;
  }

  /** Goes the way in, unless the subscriber has cancelled by now. */
  void begin() {
    ItemTimeout wait =
        new ItemTimeout(
            pipeline.runtime.engine.ticker(),
            plan.timeoutNanos,
            plan.betweenItemsNanos,
            pipeline.deadlines().current(plan.deadlines),
            deadlineNanos());
    if (!bridge.begin(this, wait, startNanos)) {
      return;
    }
    Throwable misuse = bridge.misuse();
    if (misuse == null) {
      pipeline.run(this);
    } else {
      pipeline.refuse(this, misuse);
    }
  }

  /** The work has made its publisher: lets it begin. */
  public CompletionStage<R> open(Publisher<R> publisher) {
    UpstreamSubscriber<R> source = bridge.openSource(commandKey());
    if (source == null) { // given up while the work made it
      return new UpstreamSubscriber<>(commandKey(), bridge); // its follower cancels it
    }
    onCancel(source::giveUp); // it may send items, and never return, from within subscribe
    boolean unused = pipeline.runtime.engine.stages().add(this); // the follower asks again
    source.take(publisher);
    return source;
  }

  // What is different for a stream.

  @Override
  public boolean isLate(long now) {
    return bridge.isLate();
  }

  /** On the timer's thread. */
  @Override
  protected void expired() {
    expired(deadlineNanos(), new Watch(0)); // before the bridge knows: there may be no memory
  }

  /**
   * Takes no memory once the bridge knows: a stream that is not late has its next watch armed. One
   * that is {@linkplain StreamBridge#expire stays} late until there is the memory to end it.
   */
  private void expired(long deadlineNanos, Watch next) {
    if (bridge.expire(deadlineNanos)) {
      super.expired();
      return;
    }
    long again = bridge.watchAgain();
    if (again != ItemTimeout.NONE) {
      next.armAgain(again);
    }
  }

  @Override
  public CommandTimeoutException timeoutError() {
    ItemTimeout wait = bridge.itemWait();
    Limit limit = limit(wait);
    boolean outer = limit == Limit.DEADLINE;
    return new CommandTimeoutException(
        commandKey(),
        limit,
        outer ? wait.outerNanos() - startNanos : wait.limitNanos(),
        outer ? pipeline.now() - startNanos : wait.waitedNanos(),
        hasRun(),
        pipeline.runtime.stackTraces);
  }

  private Limit limit(ItemTimeout wait) {
    if (wait.hasStarted()) {
      return Limit.NEXT_ITEM;
    }
    return wait.isLateByOuter() ? Limit.DEADLINE : Limit.FIRST_ITEM;
  }

  /** The deadline of the call it is made in counts until its first item. */
  @Override
  public EventType lateness() {
    return bridge.isLateByOuter() ? EventType.DEADLINE_EXCEEDED : EventType.TIMEOUT;
  }

  @Override
  public boolean hasAnsweredInPart() {
    return bridge.hasStarted();
  }

  @Override
  public void writeLog() {
    long items = bridge.items();
    long fallbackItems = bridge.fallbackItems();
    if (items > 0) {
      add(EventType.EMIT);
    }
    if (fallbackItems > 0) {
      add(EventType.FALLBACK_EMIT);
    }
    CommandLog present = log;
    if (present != null) {
      log = null;
      present.add(commandKey(), eventBits(), callerNanos, items, fallbackItems);
    }
  }

  @Override
  public Duration remaining() {
    return Duration.ofNanos(bridge.leftForFirstNanos());
  }

  /** Items are known by the bridge, and written down with the ending only. */
  @Override
  public boolean has(EventType event) {
    if (event == EventType.EMIT) { // no switch: see Pipeline.stopped
      return bridge.hasItem(false);
    }
    return event == EventType.FALLBACK_EMIT ? bridge.hasItem(true) : super.has(event);
  }

  // What the bridge has decided.

  @Override
  public void passes(boolean fallbacks) {
    pipeline.runtime.recorder.emitted(
        fallbacks ? EventType.FALLBACK_EMIT : EventType.EMIT, pipeline.now());
    FlightCall recorded = flight;
    if (recorded != null) {
      recorded.item(fallbacks);
    }
  }

  @Override
  public void reports(boolean fallbacks, Object item) {
    Listeners listeners = pipeline.runtime.engine.listeners();
    if (fallbacks) {
      listeners.fallbackEmits(this, item);
    } else {
      listeners.emits(this, item);
    }
  }

  @Override
  public void cameLate() {
    pipeline.abandonment.timedOut(this);
  }

  /** On the work's own thread an interrupt would hit the subscriber, which is at an item there. */
  @Override
  public void cancelled() {
    boolean unused = cancel(interruptsOnCancel() && !isOnWorker());
  }

  /** The caller's fault; at its fallback it has another cause already, and is only ended. */
  @Override
  public void misused(Throwable how) {
    pipeline.abandonment.misused(this, how);
  }

  @Override
  public void settlesApart(Runnable lastWord) {
    pipeline.runtime.runInShare(lastWord);
  }

  @Override
  public void watch(long deadlineNanos) {
    try {
      boolean unused = pipeline.runtime.engine.timer().arm(new Watch(deadlineNanos));
      // a closed one: closing ends all streams next
    } catch (Throwable thrown) { // the system has no thread for the timer
      bridge.fail(thrown);
    }
  }

  /** Looks at the bridge once more. */
  private final class Watch extends Timeout {

    private Watch(long deadlineNanos) {
      super(deadlineNanos);
    }

    @Override
    protected boolean isEnded() {
      return isClaimed();
    }

    @Override
    protected void expired() {
      StreamExecution.this.expired(deadlineNanos(), this);
    }

    /** On the timer's thread, which does not hold it. */
    private void armAgain(long nextNanos) {
      postpone(nextNanos);
      boolean unused = pipeline.runtime.engine.timer().arm(this); // else closing ends all streams
    }
  }
}
