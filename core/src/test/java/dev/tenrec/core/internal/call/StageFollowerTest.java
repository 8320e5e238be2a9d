// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Stages that begin too late, and stages that end where there is hardly any stack. */
class StageFollowerTest {

  private static final class Stubborn extends CompletableFuture<String> {

    @Override
    public boolean cancel(boolean mayInterrupt) {
      return false;
    }
  }

  /** Nobody has counted its time: it was no stage when its call was given up. */
  @Test
  void stage_thatBeginsWhenItsCallHasTimedOut_losesItsPermit() {
    ManualTime time = new ManualTime();
    Tenrec tenrec = Tenrec.builder().time(time, time).build();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Command<String, String> command =
        tenrec
            .asyncCommand(
                "Late",
                (String argument) -> {
                  begun.countDown();
                  Uninterruptibly.await(goOn);
                  return new Stubborn();
                })
            .isolation(Isolation.semaphore(1))
            .timeout(Duration.ofMillis(20))
            .property("execution.isolation.stage.abandonAfterInMilliseconds", "20")
            .build();
    CompletableFuture<CompletableFuture<String>> call =
        Elsewhere.call(() -> command.executeAsync("x"));
    Uninterruptibly.await(begun);
    time.advanceMillis(20);
    await().until(() -> command.view().cumulativeCount(EventType.TIMEOUT) == 1);

    goOn.countDown();

    assertThat(call).succeedsWithin(PatientWaits.patience());
    await()
        .untilAsserted(
            () -> {
              time.advanceMillis(20);
              assertThat(command.view().concurrency()).isZero();
            });
    assertThat(command.view().cumulativeAbandonedCount()).isEqualTo(1);
    tenrec.close(Duration.ZERO);
  }

  /** Its permit is not a caller's that is stuck. */
  @Test
  void close_whileAStageGoesOnThatHasTimedOut_reportsNobody() {
    Tenrec tenrec = Tenrec.create();
    CompletableFuture<String> call =
        tenrec
            .asyncCommand("Stubborn", (String argument) -> new Stubborn())
            .isolation(Isolation.semaphore(1))
            .timeout(Duration.ofMillis(1))
            .build()
            .executeAsync("x");
    await().until(call::isCompletedExceptionally);

    CompletableFuture<List<StillRunning>> closed =
        Elsewhere.call(() -> tenrec.close(Duration.ZERO));

    assertThat(closed).succeedsWithin(PatientWaits.patience()).asInstanceOf(LIST).isEmpty();
  }

  /** Ends the stage at the first depth at which there is no room left for the call's end. */
  private static void completeDeep(CompletableFuture<String> stage, int depth) {
    boolean room = true;
    try {
      StackReserve.check();
    } catch (StackOverflowError deep) {
      room = false;
    }
    if (room) {
      completeDeep(stage, depth + 1);
    } else {
      stage.complete("deep"); // asserting takes room
    }
  }

  @Test
  void stage_thatEndsDeepInARecursion_endsItsCallElsewhere() {
    Tenrec tenrec = Unhurried.tenrec();
    CompletableFuture<String> stage = new CompletableFuture<>();
    Command<String, String> command =
        tenrec
            .asyncCommand("Deep", (String argument) -> stage)
            .isolation(Isolation.semaphore(1))
            .build();
    CompletableFuture<Thread> endedBy = new CompletableFuture<>();
    CompletableFuture<String> call = command.executeAsync("x");
    CompletableFuture<Void> noted =
        call.thenAccept(value -> endedBy.complete(Thread.currentThread()));

    Thread deep = Elsewhere.start(() -> completeDeep(stage, 0));

    assertThat(call).succeedsWithin(PatientWaits.patience()).isEqualTo("deep");
    assertThat(noted).succeedsWithin(PatientWaits.patience());
    assertThat(endedBy.join()).isNotSameAs(deep);
    await().until(() -> command.view().concurrency() == 0);
    tenrec.close(Duration.ZERO);
  }

  @SuppressWarnings("InfiniteRecursion") // until the check throws
  private static int descend() {
    StackReserve.check();
    return descend() + 1;
  }

  /** Said before the stack is used up, so that something can be done about it. */
  @Test
  void stack_thatIsNearlyUsedUp_isFoundOutByTheCheck() {
    assertThatThrownBy(StageFollowerTest::descend)
        .isInstanceOf(StackOverflowError.class)
        .satisfies(
            deep ->
                assertThat(deep.getStackTrace()[0].getClassName())
                    .isEqualTo(StackReserve.class.getName()));
  }
}
