// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.closing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.InterludeTime;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Closing has cancelled a call on its caller's thread and waits for it: the work has stopped, and
 * that thread is about to give back the permit. Meanwhile another call of the same key gives back
 * its own, or begins to count as a stage. Closing does not take that for the first call's permit.
 */
class CloseBesideOtherCallsTest {

  private static final String KEY = "Subject";

  private enum Other {
    /** The timer has kept it; it goes on although it is cancelled. */
    STAGE,
    /** On its own caller's thread, without a canceller; it ends once the first is cancelled. */
    CALL
  }

  private final ManualTime time = new ManualTime();
  private final InterludeTime clock = new InterludeTime(time);
  private final Tenrec tenrec = Tenrec.builder().time(clock, time).build();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch cancelled = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final CountDownLatch otherBegun = new CountDownLatch(1);
  private final CountDownLatch otherEnds = new CountDownLatch(1);

  @AfterEach
  void end() {
    cancelled.countDown();
    goOn.countDown();
    otherEnds.countDown();
    Elsewhere.close(tenrec, time);
  }

  /** Its next reading comes when the work has stopped, and before it gives back its permit. */
  private String cancellable(Call call) {
    call.onCancel(cancelled::countDown);
    begun.countDown();
    Uninterruptibly.await(cancelled);
    clock.atMyNextReading(
        () -> {
          stopped.countDown();
          Uninterruptibly.await(goOn);
        });
    return "late";
  }

  private CompletableFuture<String> begin(Other other) {
    if (other == Other.STAGE) {
      CompletableFuture<String> stage =
          new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterrupt) {
              return false;
            }
          };
      otherBegun.countDown();
      return tenrec
          .asyncCommand(KEY, (String argument) -> stage)
          .isolation(Isolation.semaphore(2))
          .timeout(Duration.ofHours(1))
          .build()
          .executeAsync("x");
    }
    return Elsewhere.call(
        () ->
            tenrec
                .command(
                    KEY,
                    (String argument) -> {
                      otherBegun.countDown();
                      Uninterruptibly.await(otherEnds);
                      return argument;
                    })
                .isolation(Isolation.semaphore(2))
                .timeout(Duration.ofHours(1))
                .build()
                .execute("x"));
  }

  @ParameterizedTest
  @EnumSource(Other.class)
  void close_whileACancelledCallIsAboutToLeave_waitsForThat(Other other) {
    CompletableFuture<String> call =
        Elsewhere.call(
            () ->
                tenrec
                    .command(KEY, (String argument, Call seen) -> cancellable(seen))
                    .isolation(Isolation.semaphore(2))
                    .timeout(Duration.ofHours(1))
                    .build()
                    .execute("x"));
    Uninterruptibly.await(begun);
    CompletableFuture<String> beside = begin(other);
    Uninterruptibly.await(otherBegun);
    CompletableFuture<List<StillRunning>> closed = new CompletableFuture<>();
    Thread closing = Elsewhere.start(() -> closed.complete(tenrec.close(Duration.ZERO)));
    Uninterruptibly.await(stopped);
    otherEnds.countDown();
    Scenario.await().until(() -> beside.isDone());

    Scenario.await().until(() -> closed.isDone() || time.waiting().contains(closing));
    goOn.countDown();

    assertThat(closed)
        .succeedsWithin(PatientWaits.patience())
        .as("what still runs")
        .isEqualTo(List.of());
    assertThat(call).failsWithin(PatientWaits.patience());
  }
}
