// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.load;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Whether the user wants it to end. On Ctrl-C the JVM waits until the results so far are told. */
public final class Stop implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 20;

  /** Raised by the hook's thread, or whoever asks; read by the load. */
  private volatile boolean asked;

  private final CountDownLatch told = new CountDownLatch(1);
  private final @Nullable Thread hook;

  private Stop(boolean hooked) {
    hook = hooked ? new Thread(this::askAndWait, "load-stop") : null;
    if (hook != null) {
      Runtime.getRuntime().addShutdownHook(hook);
    }
  }

  /** One that listens to Ctrl-C; to be closed when all is told. */
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

  private void askAndWait() {
    ask();
    try {
      if (!told.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("load: no results after " + PATIENCE_SECONDS + " s, ending without");
      }
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
  }

  /** All is told. */
  @Override
  public void close() {
    told.countDown();
    if (hook != null && !asked) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException endingAnyway) {
        asked = true;
      }
    }
  }
}
