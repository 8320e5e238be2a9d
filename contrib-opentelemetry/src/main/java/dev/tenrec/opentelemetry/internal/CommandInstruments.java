// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.opentelemetry.internal;

import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandSnapshot;
import dev.tenrec.metrics.view.CommandTotals;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import java.util.List;

/** Of commands. */
final class CommandInstruments {

  private static final EventType[] EVENTS = EventType.values();

  private final CommandAttributes.OfAll attributes = new CommandAttributes.OfAll();
  private final ObservableLongMeasurement events;
  private final ObservableLongMeasurement wouldRefuse;
  private final ObservableLongMeasurement abandoned;
  private final ObservableLongMeasurement concurrency;
  private final ObservableLongMeasurement concurrencyMax;
  private final ObservableLongMeasurement concurrencyLimit;
  private final ObservableLongMeasurement fallbackConcurrency;
  private final ObservableLongMeasurement fallbackLimit;
  private final ObservableLongMeasurement stillBusy;
  private final ObservableLongMeasurement circuitState;

  CommandInstruments(Instruments make) {
    events = make.counter("tenrec.command.events", "{event}", "How often each event happened");
    wouldRefuse =
        make.counter(
            "tenrec.command.would.refuse",
            "{call}",
            "Calls that were let through only because the circuit observes");
    abandoned =
        make.counter(
            "tenrec.command.abandoned",
            "{stage}",
            "Stages that lost their permit because they did not end");
    concurrency = make.gauge("tenrec.command.concurrency", "{execution}", "Executions in flight");
    concurrencyMax =
        make.gauge(
            "tenrec.command.concurrency.max",
            "{execution}",
            "The most executions in flight at once in the rolling window");
    concurrencyLimit =
        make.gauge(
            "tenrec.command.concurrency.limit",
            "{execution}",
            "How many executions may be in flight");
    fallbackConcurrency =
        make.gauge("tenrec.command.fallback.concurrency", "{fallback}", "Fallbacks in flight");
    fallbackLimit =
        make.gauge(
            "tenrec.command.fallback.concurrency.limit",
            "{fallback}",
            "How many fallbacks may be in flight");
    stillBusy =
        make.gauge(
            "tenrec.command.still.busy",
            "{execution}",
            "Works that go on although their execution has been answered");
    circuitState =
        make.gauge("tenrec.circuit.state", "1", "1, for the state that the circuit is in");
  }

  void record(List<CommandDetails> commands) {
    attributes.forEach(commands, this::record);
  }

  private void record(CommandDetails command, CommandAttributes with) {
    CommandSnapshot now = command.snapshot();
    CommandTotals totals = now.totals();
    for (EventType event : EVENTS) {
      long count = totals.events().get(event);
      if (count > 0) { // an SDK keeps so many sets of attributes of one instrument, and no more
        events.record(count, with.of(event));
      }
    }
    wouldRefuse.record(totals.wouldRefuse(), with.own());
    abandoned.record(totals.abandoned(), with.own());
    concurrency.record(now.concurrency(), with.own());
    concurrencyMax.record(now.rollingMaxConcurrency(), with.own());
    concurrencyLimit.record(now.concurrencyLimit(), with.own());
    fallbackConcurrency.record(now.fallbackConcurrency(), with.own());
    fallbackLimit.record(now.fallbackConcurrencyLimit(), with.own());
    stillBusy.record(now.stillBusy(), with.own());
    // only the state that it is in, for the same reason
    circuitState.record(1, with.of(now.circuitState()));
  }
}
