// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.listener;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Steps;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.stream.StreamSource;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls that end while a listener is at one of their steps, or at their ending. */
@OwnThread
class ListenerEndingTest {

  private final AtomicReference<String> slowAt = new AtomicReference<>("");
  private final CountDownLatch at = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicReference<Runnable> within = new AtomicReference<>(() -> {});
  private final Steps.Recorded first = new Steps.Recorded();
  private final Steps.Recorded second = new Steps.Recorded();
  private final StreamSource source = new StreamSource();

  /** Registered before the second: what it is at, that one has still to get. */
  private final Steps slow =
      new Steps() {
        @Override
        public void step(String step, ListenedCall call, @Nullable Object what) {
          first.step(step, call, what);
          if (step.equals(slowAt.get())) {
            at.countDown();
            within.get().run();
          }
        }
      };

  private final ManualTime time = new ManualTime();
  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec =
      leaks.watch(Tenrec.builder().time(time, time).listen(slow).listen(second).build());

  @AfterEach
  void letGo() {
    release.countDown();
  }

  private void blockAt(String step) {
    slowAt.set(step);
    within.set(() -> Uninterruptibly.await(release));
  }

  private void blockBeyondTheDeadlineAt(String step) {
    slowAt.set(step);
    within.set(
        () -> {
          time.advanceMillis(20);
          Uninterruptibly.await(release);
        });
  }

  private void awaitSlow() throws InterruptedException {
    assertThat(at.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
  }

  private void assertReportedInOrder(String... steps) {
    assertThat(second.names()).containsExactly(steps);
    assertThat(first.names()).containsExactly(steps);
  }

  /** A thread that is still busy when the call ends has its end reported on its own, once. */
  private void assertReportedInOrderButForTheThreadsEnd(String... steps) {
    for (Steps.Recorded one : List.of(second, first)) {
      Scenario.await().until(() -> one.namesSoFar().contains("thread end"));
      assertThat(one.only("thread end").thread()).isSameAs(one.only("thread start").thread());
      assertThat(one.names()).filteredOn(step -> !step.equals("thread end")).containsExactly(steps);
    }
  }

  private StreamCommand<String, String> stream() {
    return tenrec.streamCommand("Subject", (String s) -> source).build();
  }

  @Test
  void disposal_whileAnEmitIsReported_isReportedAfterIt() throws Exception {
    blockAt("emit");
    TestSubscriber<String> subscriber = stream().toFlowable("x").test();
    CompletableFuture<StreamSource> emitting = Elsewhere.call(() -> source.emit("a"));
    awaitSlow();
    subscriber.cancel(); // does not wait
    Scenario.await().until(source::isCancelled);
    assertThat(first.namesSoFar()).doesNotContain("cancel");
    release.countDown();
    assertThat(emitting.join()).isSameAs(source);
    assertReportedInOrder("start", "work start", "emit", "cancel");
  }

  @Test
  void disposal_byTheListenerThatIsNotified_isReportedAfterItsStep() {
    TestSubscriber<String> subscriber = new TestSubscriber<>();
    slowAt.set("emit");
    within.set(subscriber::cancel);
    stream().toFlowable("x").subscribe(subscriber);
    source.emit("a");
    assertReportedInOrder("start", "work start", "emit", "cancel");
  }

  @Test
  void cancel_whileTheFallbacksStartIsReported_isReportedAfterIt() throws Exception {
    blockAt("fallback start");
    Command<String, String> command =
        tenrec
            .<String, String>command(
                "Subject",
                s -> {
                  throw new IllegalStateException("down");
                })
            .isolation(Isolation.threadPool().coreSize(1))
            .fallback((s, cause) -> "instead")
            .build();
    CompletableFuture<String> future = command.executeAsync("a");
    awaitSlow();
    assertThat(future.cancel(true)).isTrue();
    assertThat(first.namesSoFar()).doesNotContain("cancel");
    release.countDown();
    assertReportedInOrder(
        "start",
        "thread start",
        "work start",
        "work error",
        "thread end",
        "fallback start",
        "cancel");
  }

  @Test
  void timeOut_whileTheWorkBegins_isReportedAfterItsStart_andHoldsUpNoAnswer() throws Exception {
    blockBeyondTheDeadlineAt("work start");
    Command<String, String> command =
        tenrec
            .command("Subject", (String s) -> s)
            .isolation(Isolation.threadPool().coreSize(1))
            .timeout(Duration.ofMillis(20))
            .build();
    assertThat(command.attempt("a").isAnswered()).isFalse();
    awaitSlow();
    release.countDown();
    assertReportedInOrderButForTheThreadsEnd("start", "thread start", "work start", "error");
  }

  @Test
  void timeOut_whileTheThreadsStartIsReported_leavesTheWorksStartOut() throws Exception {
    blockBeyondTheDeadlineAt("thread start");
    Command<String, String> command =
        tenrec
            .command("Subject", (String s) -> s)
            .isolation(Isolation.threadPool().coreSize(1))
            .timeout(Duration.ofMillis(20))
            .build();
    assertThat(command.attempt("a").isAnswered()).isFalse();
    awaitSlow();
    release.countDown();
    assertReportedInOrderButForTheThreadsEnd("start", "thread start", "error");
  }
}
