// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.core.internal.callback.CallbackExecutor;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.internal.timeout.Timeout;
import dev.tenrec.core.kit.HeldWork;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How long the fallback of a call that timed out waits for a thread of its command's share. */
class FallbackTaskTest {

  private static final Duration TIMEOUT = Duration.ofMillis(40);

  /** Keeps a thread of the share busy until the test ends it. */
  private static final class Turn implements Runnable {

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    @Override
    public void run() {
      begun.countDown();
      Uninterruptibly.await(end);
    }
  }

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final ManualTime time = new ManualTime();
  private final HeldWork held = HeldWork.polite();
  private final List<Turn> turns = new ArrayList<>();
  private CommandRuntime runtime;

  @AfterEach
  void end() {
    held.letGo();
    turns.forEach(turn -> turn.end.countDown());
  }

  /** A call at its work, behind so many turns on the one thread of its command's share. */
  private CompletableFuture<Outcome<String>> call(TenrecBuilder builder, int behind) {
    Tenrec tenrec = leaks.watch(builder.time(time, time).build());
    Command<String, String> command =
        tenrec
            .command("C", held)
            .isolation(Isolation.threadPool())
            .timeout(TIMEOUT)
            .fallback((argument, cause) -> "fallback")
            .build();
    runtime = Inside.runtime(command.view());
    for (int i = 0; i < behind; i++) {
      turns.add(new Turn());
      runtime.callbacks().execute(CallbackTask.of(turns.get(i)));
    }
    CompletableFuture<Outcome<String>> call = command.attemptAsync("x");
    held.awaitRunning(1);
    return call;
  }

  private static TenrecBuilder oneThread() {
    return Tenrec.builder().callbacks(1, 100);
  }

  /** The next turn begins, in the place of this one. */
  private void takeTurn(int index) {
    turns.get(index).end.countDown();
    Uninterruptibly.await(turns.get(index + 1).begun);
  }

  /** A moment more than that, and the timer has done what was due by then. */
  private void pass(Duration duration) {
    long nanos = duration.toNanos() + 1;
    CountDownLatch met = new CountDownLatch(1);
    assertThat(
            runtime
                .engine
                .timer()
                .arm(
                    new Timeout(time.nanoTime() + nanos) {
                      @Override
                      protected boolean isEnded() {
                        return false;
                      }

                      @Override
                      protected void expired() {
                        met.countDown();
                      }
                    }))
        .isTrue();
    time.advance(Duration.ofNanos(nanos));
    Uninterruptibly.await(met);
  }

  private static void refused(CompletableFuture<Outcome<String>> call) {
    assertThat(call).succeedsWithin(PatientWaits.patience());
    assertThat(call.join().events())
        .containsExactlyInAnyOrder(
            EventType.TIMEOUT, EventType.FALLBACK_REJECTION, EventType.EXCEPTION_THROWN);
  }

  @Test
  void fallback_whileItsShareIsStuck_isRefusedAfterAMoment() {
    CompletableFuture<Outcome<String>> call = call(oneThread(), 1);
    Uninterruptibly.await(turns.get(0).begun);
    pass(TIMEOUT);

    pass(CallbackExecutor.PATIENCE.minusMillis(1));
    assertThat(call).isNotDone();

    pass(Duration.ofMillis(1));
    refused(call);
  }

  @Test
  void fallback_whileItsShareGoesOn_waits_andIsRefusedOnceThatIsStuck() {
    CompletableFuture<Outcome<String>> call = call(oneThread(), 2);
    pass(TIMEOUT);
    takeTurn(0);

    pass(CallbackExecutor.PATIENCE);
    assertThat(call).isNotDone();

    pass(CallbackExecutor.PATIENCE);
    refused(call);
  }

  @Test
  void fallback_whileItsShareGoesOnWithOthers_isRefusedAfterASecond() {
    CompletableFuture<Outcome<String>> call = call(oneThread(), 25);
    pass(TIMEOUT);
    for (int i = 0; i < 19; i++) {
      takeTurn(i);
      pass(CallbackExecutor.PATIENCE);
      assertThat(call).as("after %s of 20 times its patience", i + 1).isNotDone();
    }

    takeTurn(19);
    pass(CallbackExecutor.PATIENCE);
    refused(call);
  }

  /** The executor has not begun it after a moment: a thread of ours does, which may be late. */
  @Test
  void fallback_whileAThreadIsToCome_isNotRefused() {
    List<Runnable> kept = new CopyOnWriteArrayList<>();
    CompletableFuture<Outcome<String>> call = call(Tenrec.builder().callbackExecutor(kept::add), 0);
    pass(TIMEOUT);
    await().until(() -> !kept.isEmpty());

    pass(CallbackExecutor.PATIENCE);

    assertThat(call).succeedsWithin(PatientWaits.patience());
    assertThat(call.join().value()).isEqualTo("fallback");
  }
}
