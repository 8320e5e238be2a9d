// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Whether the user wants it to end. On Ctrl-C the JVM waits until the results so far are reported.
 */
public final class Stop implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 20;
  private static final long SOON_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long LOOK_NANOS = Duration.ofMillis(20).toNanos();

  /** Written by the hook's thread and by any that asks, read by the load. */
  private volatile boolean asked;

  private final CountDownLatch reported = new CountDownLatch(1);
  private final @Nullable Thread hook;

  private Stop(boolean hooked) {
    hook = hooked ? new Thread(this::askAndWait, "load-stop") : null;
    if (hook != null) {
      Runtime.getRuntime().addShutdownHook(hook);
    }
  }

  /** One that listens to Ctrl-C; to be closed when all is reported. */
  public static Stop onCtrlC() {
    return new Stop(true);
  }

  /** One that listens to {@link #ask} only. */
  public static Stop onDemand() {
    return new Stop(false);
  }

  /** Asks for the end. */
  public void ask() {
    asked = true;
  }

  /** Whether somebody did. */
  public boolean asked() {
    return asked;
  }

  /**
   * Waits a second for the question, for one that may notice Ctrl-C before this does: a child may
   * be ended by it first.
   */
  public boolean askedSoon() throws InterruptedException {
    RunClock clock = new RunClock();
    while (!asked && clock.nanos() < SOON_NANOS) {
      clock.awaitNanos(clock.nanos() + LOOK_NANOS);
    }
    return asked;
  }

  private void askAndWait() {
    ask();
    try {
      if (!reported.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("load: no results after " + PATIENCE_SECONDS + " s, ending without");
      }
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
  }

  /** All is reported. */
  @Override
  public void close() {
    reported.countDown();
    if (hook != null && !asked) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException endingAnyway) {
        asked = true;
      }
    }
  }
}
