// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.opentelemetry.internal;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.view.JournalEntry.CircuitChanged;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.BatchCallback;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableMeasurement;
import io.reactivex.rxjava3.disposables.Disposable;
import java.util.List;
import java.util.Locale;

/** All instruments of one Tenrec, until it is closed. */
public final class Registration implements AutoCloseable {

  private final BatchCallback reading;
  private final Disposable following;

  public Registration(Tenrec tenrec, Meter meter) {
    Instruments instruments = new Instruments(meter);
    CommandInstruments ofCommands = new CommandInstruments(instruments);
    OtherInstruments ofOthers = new OtherInstruments(instruments);
    List<ObservableMeasurement> all = instruments.all();
    reading =
        meter.batchCallback(
            () -> {
              tenrec.commands().forEach(ofCommands::record);
              ofOthers.record(tenrec);
            },
            all.get(0),
            all.subList(1, all.size()).toArray(ObservableMeasurement[]::new));
    LongCounter transitions =
        meter
            .counterBuilder("tenrec.circuit.transitions")
            .setUnit("{transition}")
            .setDescription("How often the circuit changed its state")
            .build();
    following =
        tenrec
            .journalStream()
            .ofType(CircuitChanged.class)
            .subscribe(changed -> transitions.add(1, attributes(changed)));
  }

  private static Attributes attributes(CircuitChanged changed) {
    return Attributes.of(
        Names.COMMAND,
        changed.key(),
        Names.TO,
        changed.transition().to().name().toLowerCase(Locale.ROOT),
        Names.REASON,
        changed.transition().reason().name().toLowerCase(Locale.ROOT));
  }

  @Override
  public void close() {
    following.dispose();
    reading.close();
  }
}
