// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.flight;

import dev.tenrec.core.view.JournalEntry;
import dev.tenrec.metrics.view.PoolView;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The JVM's flight recorder, if it has one. Where the module {@code jdk.jfr} is missing, or an
 * event is off, a method here is a read of a field or two. Throws nothing that the recorder does
 * not.
 */
public final class Flight {

  /**
   * Null as long as no recorder was started: the first event class that a JVM loads costs it a
   * tenth of a second. Written by the thread that starts the recorder, or by the first Tenrec after
   * that, one as good as another; read by any thread.
   */
  private static final AtomicReference<@Nullable Recording> RECORDING = new AtomicReference<>();

  private static final boolean HAS_RECORDER = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  /**
   * Taken where a Tenrec comes or goes. Nothing of the recorder's is called under it: that has a
   * monitor, under which it calls users' listeners, and these may make or close a Tenrec.
   */
  private static final ReentrantLock LOCK = new ReentrantLock();

  /** The wait for the recorder; null while there is no Tenrec. Under {@link #LOCK}. */
  private static final AtomicReference<@Nullable Wait> WAIT = new AtomicReference<>();

  /** A wait for the recorder to be started. Begun and ended by different threads, in any order. */
  interface Wait {

    /** Nothing, if it was ended before. */
    void begin();

    /** The recorder, which lives as long as the JVM, refers to nothing of this any more. */
    void end();
  }

  private Flight() {}

  /** Whether every call is to be recorded, which needs an object for each. */
  public static boolean wantsCalls() {
    Recording present = RECORDING.get();
    return present != null && present.wantsCalls();
  }

  /** A call begins; null if calls are not recorded. */
  public static @Nullable FlightCall begin() {
    Recording present = RECORDING.get();
    return present != null && present.wantsCalls() ? present.begin() : null;
  }

  /** A call was refused. */
  public static void refused(String command, String reason, String bulkhead, int inUse, int limit) {
    Recording present = RECORDING.get();
    if (present != null) {
      present.refused(command, reason, bulkhead, inUse, limit);
    }
  }

  /**
   * A call timed out.
   *
   * @param executionNanos how long its work had taken by then; -1 if it had not begun
   */
  public static void timedOut(String command, long timeoutNanos, long executionNanos) {
    Recording present = RECORDING.get();
    if (present != null) {
      present.timedOut(command, timeoutNanos, executionNanos);
    }
  }

  /**
   * A call was ended, or not begun, by the deadline of the call it was made in.
   *
   * @param executionNanos how long its work had taken by then; -1 if it had not begun
   */
  public static void beyondDeadline(String command, long executionNanos) {
    Recording present = RECORDING.get();
    if (present != null) {
      present.beyondDeadline(command, executionNanos);
    }
  }

  /** Work has ended that was still busy for so long after its call had its answer. */
  public static void stillBusy(String command, long nanos) {
    Recording present = RECORDING.get();
    if (present != null) {
      present.stillBusy(command, nanos);
    }
  }

  /** Something has come into the journal. */
  public static void journalled(JournalEntry entry) {
    Recording present = RECORDING.get();
    if (present != null) {
      present.journalled(entry);
    }
  }

  /** A Tenrec comes: recordings have its events, and these pools sampled, until {@link #forget}. */
  public static void sample(Supplier<? extends List<? extends PoolView>> pools) {
    Wait wait = null;
    LOCK.lock();
    try {
      if (HAS_RECORDER && WAIT.get() == null) {
        wait = RecorderStart.wait(RECORDING::set);
      }
      SampledPools.add(pools);
      if (wait != null) {
        WAIT.set(wait);
      }
    } finally {
      LOCK.unlock();
    }
    if (wait != null) {
      begin(wait, pools);
    }
  }

  private static void begin(Wait wait, Supplier<? extends List<? extends PoolView>> pools) {
    try {
      wait.begin();
    } catch (RuntimeException | LinkageError e) { // switched off, or not to be had in this JVM
      RECORDING.set(null);
    } catch (Error e) { // no memory: there will be no such Tenrec
      forget(pools);
      throw e;
    }
  }

  /**
   * Ends what {@link #sample} began. After the last one, the recorder, which is the JVM's, refers
   * to nothing here any more, so that the class loader of Tenrec can go.
   */
  public static void forget(Supplier<? extends List<? extends PoolView>> pools) {
    Wait wait;
    LOCK.lock();
    try {
      wait = SampledPools.remove(pools) ? WAIT.getAndSet(null) : null;
    } finally {
      LOCK.unlock();
    }
    if (wait != null) {
      try {
        wait.end();
      } catch (RuntimeException | Error e) { // no memory, for one: closing has to come to its end
        RECORDING.set(null);
      }
    }
  }
}
