// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.flight;

import java.util.function.Consumer;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/** Waits for the JVM's flight recorder to be started, which most JVMs never do. */
final class RecorderStart implements FlightRecorderListener {

  private final Consumer<Recording> started;

  private RecorderStart(Consumer<Recording> started) {
    this.started = started;
  }

  /** Has {@code started} called when there is a recorder: now, if there is one already. */
  static void await(Consumer<Recording> started) {
    FlightRecorder.addListener(new RecorderStart(started));
  }

  @Override
  public void recorderInitialized(FlightRecorder recorder) {
    FlightRecorder.addPeriodicEvent(
        PoolSampleEvent.class, () -> SampledPools.forEach(JfrRecording::samplePool));
    started.accept(new JfrRecording());
  }
}
