// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.closing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.HeldWork;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.metrics.OwnThread;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What closing reports of calls that entered before their command was to run elsewhere. */
@OwnThread
class ClosedAfterAChangeTest {

  private final Tenrec tenrec = Unhurried.tenrec();
  private final HeldWork held = HeldWork.stubborn();

  private void strategy(String strategy) {
    tenrec.set("tenrec.command.Subject.execution.isolation.strategy", strategy);
  }

  private List<StillRunning> left() {
    return CloseReport.atWork(tenrec.close(Duration.ofMillis(10)));
  }

  private void letGo(CompletableFuture<?> call) {
    held.letGo();
    Scenario.await().until(call::isDone);
    Scenario.await().until(() -> tenrec.liveThreads() == 0);
  }

  @Test
  void callOnItsCallersThread_underASharedSemaphore_isReportedAlsoIfLaterOnesRunOnAPool() {
    Command<String, String> command =
        tenrec
            .command("Subject", held)
            .isolation(Isolation.semaphore(5).shared("Shared"))
            .withoutTimeout()
            .build();
    CompletableFuture<String> call = Elsewhere.call(() -> command.execute("x"));
    held.awaitRunning(1);
    strategy("THREAD");

    assertThat(left()).containsExactly(new StillRunning(StillRunning.CALLERS, "Subject", 1, null));
    letGo(call);
  }

  @Test
  void callOnAPool_isReportedOnce_alsoIfLaterOnesShareASemaphore() {
    Command<String, String> command =
        tenrec
            .command("Subject", held)
            .isolation(Isolation.semaphore(5).shared("Shared"))
            .withoutTimeout()
            .build();
    strategy("THREAD");
    CompletableFuture<String> call = command.executeAsync("x");
    held.awaitRunning(1);
    strategy("SEMAPHORE");

    assertThat(left())
        .singleElement()
        .satisfies(one -> assertThat(one.thread()).isNotEqualTo(StillRunning.CALLERS));
    letGo(call);
  }

  /** A stage of the pool is on no caller's thread. */
  @Test
  void blockingStart_onItsCallersThread_isReportedBesideAStageOfAPool() {
    CompletableFuture<String> never =
        new CompletableFuture<>() {
          @Override
          public boolean cancel(boolean mayInterruptIfRunning) {
            return false;
          }
        };
    Command<String, String> command =
        tenrec
            .asyncCommand(
                "Subject",
                (String argument) ->
                    argument.equals("stage")
                        ? never
                        : CompletableFuture.completedFuture(held.run(argument)))
            .isolation(Isolation.semaphore(5))
            .withoutTimeout()
            .build();
    CompletableFuture<String> call = Elsewhere.call(() -> command.execute("x"));
    held.awaitRunning(1);
    strategy("THREAD");
    CompletableFuture<String> stage = command.executeAsync("stage");
    Scenario.await()
        .until(() -> command.view().concurrency() == 2 && tenrec.pools().get(0).active() == 0);

    assertThat(left()).containsExactly(new StillRunning(StillRunning.CALLERS, "Subject", 1, null));
    assertThat(stage).isCompletedExceptionally();
    never.complete("late");
    letGo(call);
  }
}
