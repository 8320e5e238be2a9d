// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.awaitility.core.ConditionTimeoutException;

/** A caller on a thread of its own. */
public final class Elsewhere {

  /** How far the time moves while closing has not returned, about once a millisecond. */
  private static final Duration CLOSING_STEP = Duration.ofNanos(200_000);

  private Elsewhere() {}

  /** What {@code call} brings, once it does. */
  public static <T> CompletableFuture<T> call(Callable<T> call) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread unused = start(() -> complete(result, call));
    return result;
  }

  /** A thread that runs {@code body} and inherits nothing, to be interrupted or waited for. */
  public static Thread start(Runnable body) {
    Thread thread = new Thread(null, body, "caller", 0, false);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** A resource that is closed without an exception to be declared. */
  @FunctionalInterface
  public interface Closing extends AutoCloseable {

    @Override
    void close();
  }

  /**
   * Closes it while time goes on: closing looks now and then whether the last call has ended, and
   * gives its last threads half a second to end. That takes seconds here, for a busy machine may
   * hold up a thread for as long.
   */
  public static void close(Tenrec tenrec, ManualTime time) {
    CompletableFuture<List<StillRunning>> closed = new CompletableFuture<>();
    Thread closing = start(() -> complete(closed, () -> tenrec.close(Duration.ofMinutes(5))));
    try {
      await()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(1))
          .until(
              () -> {
                time.advance(CLOSING_STEP);
                return closed.isDone();
              });
    } catch (ConditionTimeoutException e) {
      AssertionError hangs = new AssertionError("closing does not return, it is at", e);
      hangs.setStackTrace(closing.getStackTrace());
      closing.interrupt(); // which ends it, or another close would wait for it without an end
      throw hangs;
    }
    assertThat(closed.join()).isEmpty();
  }

  /** With what {@code call} brings, or throws; on the calling thread. */
  public static <T> void complete(CompletableFuture<T> result, Callable<T> call) {
    try {
      result.complete(call.call());
    } catch (Throwable thrown) {
      result.completeExceptionally(thrown);
    }
  }
}
