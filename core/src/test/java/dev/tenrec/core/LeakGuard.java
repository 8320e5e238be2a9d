// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Account;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.metrics.PatientWaits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * After each test, of each Tenrec it knows of: every execution that was started has ended once,
 * every permit has come back, no work is still busy, closing leaves nothing, and no thread of
 * Tenrec's is alive that was not before.
 *
 * <pre>{@code
 * @RegisterExtension final LeakGuard leaks = new LeakGuard();
 * private final Tenrec tenrec = leaks.watch(Tenrec.create());
 * }</pre>
 *
 * <p>It closes what it watches; a test may do so first. A test that failed is not looked at: what
 * it left is not what is wrong.
 */
public final class LeakGuard implements AfterEachCallback {

  /** How long closing may take beyond its patience, and is waited for after a test that failed. */
  private static final long MOMENT_SECONDS = 5;

  private final List<Tenrec> watched = new ArrayList<>();
  private final Set<Thread> before = tenrecThreads(); // made with the test, before its Tenrec

  /** Watches it until the end of the test, and closes it then. */
  public Tenrec watch(Tenrec tenrec) {
    watched.add(tenrec);
    return tenrec;
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      watched.forEach(LeakGuard::closeInVain);
      return;
    }
    for (Tenrec tenrec : watched) {
      assertQuiet(tenrec);
      assertThat(close(tenrec)).as("still running after close").isEmpty();
    }
    await()
        .atMost(PatientWaits.patience())
        .untilAsserted(
            () ->
                assertThat(watched)
                    .as("live threads after close")
                    .allSatisfy(tenrec -> assertThat(tenrec.liveThreads()).isZero()));
    await()
        .atMost(PatientWaits.patience())
        .untilAsserted(() -> assertThat(tenrecThreads()).as("threads left").isSubsetOf(before));
  }

  /**
   * On another thread, for a moment: what the failed test has left may hang, and by a manual time
   * closing waits for that without an end.
   */
  private static void closeInVain(Tenrec tenrec) {
    Thread closing = Elsewhere.start(() -> tenrec.close(Duration.ZERO));
    join(closing, MOMENT_SECONDS);
  }

  /** On another thread, too: no limit of time is set to what is done after a test. */
  private static List<StillRunning> close(Tenrec tenrec) {
    CompletableFuture<List<StillRunning>> closed = new CompletableFuture<>();
    Duration patience = PatientWaits.patience();
    Thread closing =
        Elsewhere.start(() -> Elsewhere.complete(closed, () -> tenrec.close(patience)));
    join(closing, patience.toSeconds() + MOMENT_SECONDS);
    if (!closed.isDone()) {
      AssertionError hangs = new AssertionError("closing does not return, it is at");
      hangs.setStackTrace(closing.getStackTrace());
      closing.interrupt(); // which ends it
      throw hangs;
    }
    return closed.join();
  }

  /** Whichever thread interrupts, as an engine may that gives up the test's call. */
  private static void join(Thread closing, long seconds) {
    boolean interrupted = false;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (true) {
      try {
        TimeUnit.NANOSECONDS.timedJoin(closing, deadline - System.nanoTime());
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until nothing moves any more, and asserts that nothing was lost on the way. */
  public static void assertQuiet(Tenrec tenrec) {
    await()
        .pollInterval(Duration.ofMillis(2))
        .atMost(PatientWaits.patience())
        .untilAsserted(
            () -> tenrec.registry().commands().forEach(entry -> assertQuiet(entry.runtime())));
  }

  private static void assertQuiet(CommandRuntime runtime) {
    String key = runtime.view().key();
    assertThat(runtime.view().concurrency()).as("permits out, of %s", key).isZero();
    assertThat(Inside.fallbacksInUse(runtime)).as("fallback permits out, of %s", key).isZero();
    assertThat(Inside.abandonedRunning(runtime)).as("works still busy, of %s", key).isZero();
    assertThat(Inside.stages(runtime.view())).as("calls that closing has to know").isZero();
    Account.of(runtime.view()).assertBalanced();
  }

  private static Set<Thread> tenrecThreads() {
    Set<Thread> found = new HashSet<>(Thread.getAllStackTraces().keySet());
    found.removeIf(thread -> !thread.getName().startsWith("tenrec-") || !thread.isAlive());
    return found;
  }
}
