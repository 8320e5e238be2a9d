// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.opentelemetry.internal;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.view.CommandDetails;
import io.opentelemetry.api.metrics.BatchCallback;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableMeasurement;
import java.util.List;

/** All instruments of one Tenrec, until it is closed. */
public final class Registration implements AutoCloseable {

  private final BatchCallback reading;

  public Registration(Tenrec tenrec, Meter meter) {
    Instruments instruments = new Instruments(meter);
    CommandInstruments ofCommands = new CommandInstruments(instruments);
    Transitions transitions = new Transitions(instruments);
    OtherInstruments ofOthers = new OtherInstruments(instruments);
    List<ObservableMeasurement> all = instruments.all();
    reading =
        meter.batchCallback(
            () -> {
              List<CommandDetails> commands = tenrec.commands();
              ofCommands.record(commands);
              transitions.record(commands);
              ofOthers.record(tenrec);
            },
            all.get(0),
            all.subList(1, all.size()).toArray(ObservableMeasurement[]::new));
  }

  @Override
  public void close() {
    reading.close();
  }
}
