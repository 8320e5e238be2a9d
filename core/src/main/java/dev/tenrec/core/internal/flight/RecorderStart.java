// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.flight;

import java.util.function.Consumer;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/** Waits for the JVM's flight recorder to be started, which most JVMs never do. */
final class RecorderStart implements FlightRecorderListener, Runnable {

  private final Consumer<Recording> started;

  /**
   * Written by the thread that ends the wait, before it takes the samples out; read by the one that
   * starts the recorder, after it put them in: one of the two sees the other.
   */
  private volatile boolean ended;

  private RecorderStart(Consumer<Recording> started) {
    this.started = started;
  }

  /**
   * Has {@code started} called when there is a recorder: now, if there is one already.
   *
   * @return ends the wait: the recorder, which lives as long as the JVM, refers to nothing of this
   *     any more
   */
  static Runnable await(Consumer<Recording> started) {
    RecorderStart start = new RecorderStart(started);
    try {
      FlightRecorder.addListener(start);
    } catch (RuntimeException | Error e) {
      start.end();
      throw e;
    }
    return start::end;
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

  private void end() {
    ended = true;
    boolean unused = FlightRecorder.removeListener(this);
    boolean unusedToo = FlightRecorder.removePeriodicEvent(this);
  }
}
