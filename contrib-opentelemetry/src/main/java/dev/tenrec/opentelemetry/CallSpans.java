// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.opentelemetry;

import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.opentelemetry.internal.Names;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A span for each call of the commands that are chosen, a child of what is current on the caller's
 * thread, from the call to its answer. Refusals, time-outs and fallbacks are events of it. What the
 * work itself starts is a child of the caller's span too, and so its sibling. Nothing of arguments,
 * results or messages is in it.
 *
 * <p>Registered by {@code TenrecBuilder.listen}. As any listener it takes all calls of that Tenrec
 * off the fast path, those of commands that are not chosen as well. Thread-safe.
 */
public final class CallSpans implements CommandListener {

  private static final AttributeKey<List<String>> EVENTS =
      AttributeKey.stringArrayKey("tenrec.events");

  private final Tracer tracer;
  private final Predicate<String> chosen;

  /** Each is added by the start of its call, and removed by its one ending. */
  private final Map<ListenedCall, Span> open = new ConcurrentHashMap<>();

  private CallSpans(Tracer tracer, Predicate<String> chosen) {
    this.tracer = tracer;
    this.chosen = chosen;
  }

  /**
   * Makes the listener.
   *
   * @param commands by key; asked at each call, so it should be quick
   */
  public static CallSpans of(OpenTelemetry telemetry, Predicate<String> commands) {
    return new CallSpans(
        telemetry.getTracer(Names.SCOPE), Objects.requireNonNull(commands, "commands"));
  }

  @Override
  public void onStart(ListenedCall call) {
    if (!chosen.test(call.commandKey())) {
      return;
    }
    open.put(
        call,
        tracer
            .spanBuilder(Names.value(call.commandKey()))
            .setAttribute(Names.COMMAND, Names.value(call.commandKey()))
            .setAttribute(Names.GROUP, Names.value(call.group()))
            .startSpan());
  }

  @Override
  public void onFallbackStart(ListenedCall call, Throwable cause) {
    Span span = open.get(call);
    if (span != null) {
      span.addEvent("tenrec.fallback", Attributes.of(Names.ERROR, cause.getClass().getName()));
    }
  }

  @Override
  public void onSuccess(ListenedCall call, @Nullable Object value) {
    end(call, null);
  }

  @Override
  public void onError(ListenedCall call, Throwable error) {
    end(call, error);
  }

  @Override
  public void onCancel(ListenedCall call, Throwable why) {
    end(call, null);
  }

  private void end(ListenedCall call, @Nullable Throwable error) {
    Span span = open.remove(call);
    if (span == null) {
      return;
    }
    List<EventType> events = call.events();
    for (EventType event : events) {
      switch (event) {
        case SHORT_CIRCUITED, THREAD_POOL_REJECTED, SEMAPHORE_REJECTED, RATE_LIMITED ->
            span.addEvent("tenrec.refused", Attributes.of(Names.EVENT, name(event)));
        case TIMEOUT -> span.addEvent("tenrec.timeout");
        case DEADLINE_EXCEEDED -> span.addEvent("tenrec.deadline");
        case FALLBACK_FAILURE, FALLBACK_REJECTION, FALLBACK_DISABLED, FALLBACK_MISSING ->
            span.addEvent("tenrec.fallback.none", Attributes.of(Names.EVENT, name(event)));
        default -> {} // an attribute
      }
    }
    span.setAttribute(Names.OUTCOME, outcome(events));
    span.setAttribute(EVENTS, events.stream().map(CallSpans::name).toList());
    if (error != null) {
      span.setAttribute(
          Names.ERROR,
          error instanceof CommandRejectedException rejected
              ? rejected.reason().name().toLowerCase(Locale.ROOT)
              : error.getClass().getName());
      span.setStatus(StatusCode.ERROR);
    }
    span.end();
  }

  /** The one answer of each call. */
  private static String outcome(List<EventType> events) {
    for (EventType answer :
        List.of(
            EventType.FALLBACK_SUCCESS,
            EventType.EXCEPTION_THROWN,
            EventType.CANCELLED,
            EventType.SUCCESS)) {
      if (events.contains(answer)) {
        return name(answer);
      }
    }
    return "unknown";
  }

  private static String name(EventType event) {
    return event.name().toLowerCase(Locale.ROOT);
  }
}
