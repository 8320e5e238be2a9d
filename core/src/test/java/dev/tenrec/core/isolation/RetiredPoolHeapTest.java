// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.lang.ref.WeakReference;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * What is left of a pool whose last command was taken out, looked for by the garbage collector: one
 * Tenrec may serve applications that come and go.
 */
class RetiredPoolHeapTest {

  /** Of an application that uses a Tenrec that is not its own. */
  private static final class Loader extends ClassLoader {}

  /** Holds up threads of pools that are idle, also those that are woken. */
  private static final class HeldUp implements Waiter {

    private final Waiter system = Waiter.system();
    private final CountDownLatch idle = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);

    @Override
    public void awaitUntil(long deadlineNanos) {
      if (Thread.currentThread().getName().startsWith("tenrec-Gone-")) {
        idle.countDown();
        Uninterruptibly.await(release);
      } else {
        system.awaitUntil(deadlineNanos);
      }
    }

    @Override
    public void wake(Thread thread) {
      system.wake(thread);
    }
  }

  private static WeakReference<Loader> callAndRemove(Tenrec tenrec, Runnable betweenThem) {
    Loader loader = new Loader();
    WeakReference<Loader> trace = new WeakReference<>(loader);
    assertThat(
            Elsewhere.call(
                () -> {
                  Thread.currentThread().setContextClassLoader(loader);
                  String answer = tenrec.command("Gone", (String s) -> s).build().execute("answer");
                  betweenThem.run();
                  return tenrec.remove("Gone") ? answer : "not removed";
                }))
        .succeedsWithin(PatientWaits.patience())
        .isEqualTo("answer");
    return trace;
  }

  private static void awaitCleared(WeakReference<?> trace) {
    await()
        .atMost(PatientWaits.patience())
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(trace.get() == null).as("cleared").isTrue();
            });
  }

  @Test
  void loaderOfTheThreadThatBuiltACommand_isLetGo_whenThatIsRemoved() {
    try (Tenrec tenrec = Tenrec.create()) {
      awaitCleared(callAndRemove(tenrec, () -> {}));
      assertThat(tenrec.pools()).isEmpty();
    }
  }

  /** Closing has to wait for it. */
  @Test
  void poolOfAThreadThatHasNotEnded_isKnown_alsoIfNothingElseHoldsIt() {
    HeldUp waiter = new HeldUp();
    Tenrec tenrec = Tenrec.builder().time(Ticker.system(), waiter).build();
    try {
      WeakReference<Loader> loader =
          callAndRemove(tenrec, () -> Uninterruptibly.await(waiter.idle));
      int live = tenrec.liveThreads();
      awaitCleared(new WeakReference<>(new Object()));
      assertThat(tenrec.liveThreads()).isEqualTo(live);
      assertThat(loader.get()).isNotNull();
      waiter.release.countDown();
      awaitCleared(loader);
    } finally {
      waiter.release.countDown();
      tenrec.close();
    }
    assertThat(tenrec.liveThreads()).isZero();
  }
}
