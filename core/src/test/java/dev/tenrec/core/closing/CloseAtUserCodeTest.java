// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.closing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Closing ends calls whose fallback or predicate does not come back, beyond their deadline and on
 * whichever thread it is: another one than that of the work may have come to it.
 */
class CloseAtUserCodeTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  @AfterEach
  void close() {
    goOn.countDown();
    Elsewhere.close(tenrec, time);
  }

  private String stuck() {
    begun.countDown();
    Uninterruptibly.await(goOn);
    return "late";
  }

  /** Its work never comes back by itself. */
  private CommandBuilder<String, String> hanging() {
    CountDownLatch never = new CountDownLatch(1);
    return tenrec
        .command(
            "Subject",
            (String x) -> {
              never.await();
              return x;
            })
        .isolation(Isolation.threadPool().coreSize(4));
  }

  private void whileTimeGoesOn(BooleanSupplier until) {
    Scenario.await()
        .until(
            () -> {
              time.advanceMillis(5);
              return until.getAsBoolean();
            });
  }

  /** One of its calls is at the user code, before the deadline or after. */
  private CompletableFuture<String> callThatIsStuck(Command<String, String> command) {
    for (int i = 0; i < 10; i++) { // again where its fallback got no thread in time
      CompletableFuture<String> call = command.executeAsync("x");
      whileTimeGoesOn(() -> begun.getCount() == 0 || call.isDone());
      if (begun.getCount() == 0) {
        return call;
      }
      whileTimeGoesOn(() -> command.view().concurrency() == 0); // or there is no room
    }
    throw new AssertionError("no call came to the user code");
  }

  /** The deadline has come as well, so that the timer knows nothing of the call any more. */
  private void assertClosingEnds(CompletableFuture<String> call) {
    long over = time.nanoTime() + TIMEOUT.plusMillis(200).toNanos();
    whileTimeGoesOn(() -> time.nanoTime() - over > 0);
    assertThat(call).isNotDone();

    CompletableFuture<?> closed = Elsewhere.call(() -> tenrec.close(Duration.ofMillis(10)));
    whileTimeGoesOn(closed::isDone);

    assertThat(call).isCompletedExceptionally();
  }

  @Test
  void close_whileTheFallbackAfterAnAttemptsTimeOutIsStuck_endsTheCall() {
    Command<String, String> command =
        hanging()
            .timeout(TIMEOUT)
            .retry(Retry.attempts(2).attemptTimeout(Duration.ofMillis(100)).budget(100, 10))
            .fallback((x, cause) -> stuck())
            .build();

    assertClosingEnds(callThatIsStuck(command));
  }

  @Test
  void close_whileTheFallbackOfHedgedRoundsIsStuck_endsTheCall() {
    Command<String, String> command =
        hanging()
            .timeout(TIMEOUT)
            .hedge(Hedge.after(Duration.ofMillis(50)))
            .retry(Retry.attempts(2).attemptTimeout(Duration.ofMillis(100)).budget(100, 10))
            .fallback((x, cause) -> stuck())
            .build();

    assertClosingEnds(callThatIsStuck(command));
  }

  @Test
  void close_whileTheFallbackIsStuckOnTheThreadOfTheStage_endsTheCall() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    Command<String, String> command =
        tenrec
            .asyncCommand("Subject", (String x) -> stage)
            .timeout(TIMEOUT)
            .fallback((x, cause) -> stuck())
            .build();
    CompletableFuture<String> call = command.executeAsync("x");
    CompletableFuture<?> completing =
        Elsewhere.call(() -> stage.completeExceptionally(new IllegalStateException("on purpose")));
    Scenario.await().until(() -> begun.getCount() == 0);

    assertClosingEnds(call);

    goOn.countDown();
    Scenario.await().until(completing::isDone);
  }

  /** As the thread of an event loop does, that calls and reads the answers. */
  @Test
  void close_whileTheFallbackIsStuckOnTheCallersThread_whichHasEndedTheStage_endsTheCall() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    Command<String, String> command =
        tenrec
            .asyncCommand("Subject", (String x) -> stage)
            .timeout(TIMEOUT)
            .fallback((x, cause) -> stuck())
            .build();
    CompletableFuture<CompletableFuture<String>> made = new CompletableFuture<>();
    CompletableFuture<?> loop =
        Elsewhere.call(
            () -> {
              made.complete(command.executeAsync("x"));
              return stage.completeExceptionally(new IllegalStateException("on purpose"));
            });
    Scenario.await().until(() -> begun.getCount() == 0);

    assertClosingEnds(made.join());

    goOn.countDown();
    Scenario.await().until(loop::isDone);
  }

  /** It is in the call, and returns with what its fallback brings. */
  @Test
  void close_whileACallerThatWaitsIsAtItsFallback_leavesTheCallItsAnswer() {
    Command<String, String> command =
        tenrec
            .<String, String>command(
                "Subject",
                x -> {
                  throw new IllegalStateException("on purpose");
                })
            .isolation(Isolation.threadPool().coreSize(1))
            .withoutTimeout()
            .fallback((x, cause) -> stuck())
            .build();
    CompletableFuture<String> caller = Elsewhere.call(() -> command.execute("x"));
    Scenario.await().until(() -> begun.getCount() == 0);

    CompletableFuture<?> closed = Elsewhere.call(() -> tenrec.close(Duration.ofMillis(10)));
    whileTimeGoesOn(closed::isDone);
    goOn.countDown();

    assertThat(caller).succeedsWithin(PatientWaits.patience()).isEqualTo("late");
  }

  @Test
  void close_whileTheFallbackOfACallerIsStuck_endsTheCallThatSharesItsRun() {
    Command<String, String> command =
        tenrec
            .<String, String>command(
                "Subject",
                x -> {
                  throw new IllegalStateException("on purpose");
                })
            .isolation(Isolation.threadPool().coreSize(2))
            .withoutTimeout()
            .cacheKey(x -> x)
            .fallback((x, cause) -> stuck())
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first =
          Elsewhere.call(request.wrap((Callable<String>) () -> command.execute("x")));
      whileTimeGoesOn(() -> begun.getCount() == 0);

      assertClosingEnds(command.executeAsync("x"));

      goOn.countDown();
      Scenario.await().until(first::isDone);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void close_whileItIsStuckWhetherATimedOutAttemptIsRetried_endsTheCall(boolean hedged) {
    CommandBuilder<String, String> builder =
        hanging()
            .withoutTimeout()
            .retry(
                Retry.attempts(3)
                    .attemptTimeout(Duration.ofMillis(100))
                    .onlyIf(thrown -> stuck().isEmpty()));
    Command<String, String> command =
        (hedged ? builder.hedge(Hedge.after(Duration.ofMinutes(1))) : builder).build();

    assertClosingEnds(callThatIsStuck(command));
  }
}
