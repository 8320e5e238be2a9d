// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.flight;

import java.util.function.Consumer;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/** Waits for the JVM's flight recorder to be started, which most JVMs never do. */
final class RecorderStart implements Flight.Wait, FlightRecorderListener, Runnable {

  private final Consumer<Recording> started;

  /**
   * Written by the thread that ends the wait, before it takes the listener and the samples out;
   * read by the ones that put them in, after that: one of the two sees the other.
   */
  private volatile boolean ended;

  private RecorderStart(Consumer<Recording> started) {
    this.started = started;
  }

  /** Has {@code started} called when there is a recorder: as it begins, if there is one already. */
  static Flight.Wait wait(Consumer<Recording> started) {
    return new RecorderStart(started);
  }

  @Override
  public void begin() {
    FlightRecorder.addListener(this);
    if (ended) {
      boolean unused = FlightRecorder.removeListener(this);
    }
  }

  @Override
  public void recorderInitialized(FlightRecorder recorder) {
    FlightRecorder.addPeriodicEvent(PoolSampleEvent.class, this);
    if (ended) {
      boolean unused = FlightRecorder.removePeriodicEvent(this);
    } else {
      started.accept(new JfrRecording());
    }
  }

  /** Takes a sample. */
  @Override
  public void run() {
    SampledPools.forEach(JfrRecording::samplePool);
  }

  @Override
  public void end() {
    ended = true;
    boolean unused = FlightRecorder.removeListener(this);
    boolean unusedToo = FlightRecorder.removePeriodicEvent(this);
  }
}
