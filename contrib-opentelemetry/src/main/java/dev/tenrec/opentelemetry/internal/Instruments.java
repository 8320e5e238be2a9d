// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.opentelemetry.internal;

import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import io.opentelemetry.api.metrics.ObservableMeasurement;
import java.util.ArrayList;
import java.util.List;

/** Makes instruments that are read when metrics are collected, and remembers them. */
final class Instruments {

  private final Meter meter;
  private final List<ObservableMeasurement> all = new ArrayList<>();

  Instruments(Meter meter) {
    this.meter = meter;
  }

  ObservableLongMeasurement counter(String name, String unit, String description) {
    return kept(
        meter.counterBuilder(name).setUnit(unit).setDescription(description).buildObserver());
  }

  ObservableLongMeasurement gauge(String name, String unit, String description) {
    return kept(
        meter.upDownCounterBuilder(name).setUnit(unit).setDescription(description).buildObserver());
  }

  private ObservableLongMeasurement kept(ObservableLongMeasurement instrument) {
    all.add(instrument);
    return instrument;
  }

  List<ObservableMeasurement> all() {
    return all;
  }
}
