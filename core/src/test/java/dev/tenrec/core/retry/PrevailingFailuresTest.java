// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.HeldWork;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Of a command whose attempts fail more often than they succeed the budget has its fixed number
 * only, 10 in ten seconds here, and no share of a tenth besides.
 */
class PrevailingFailuresTest {

  private static final int GOOD = 1;
  private static final int BAD = 2;
  private static final String ENABLED = "tenrec.command.default.retry.enabled";

  private final ManualTime time = new ManualTime();

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());

  private static Retry once() {
    return Retry.attempts(2).backoff(Duration.ZERO, Duration.ZERO).howeverLittleTimeIsLeft();
  }

  private static Integer work(Integer argument) throws IOException {
    if (argument == BAD) {
      throw new IOException("down");
    }
    return argument;
  }

  private Command<Integer, Integer> command(String key, Retry retry) {
    return tenrec
        .command(key, PrevailingFailuresTest::work)
        .isolation(Isolation.semaphore(10))
        .withoutCircuitBreaker()
        .fallbackValue(-1)
        .retry(retry)
        .build();
  }

  private static void call(Command<Integer, Integer> command, int times, int argument) {
    for (int i = 0; i < times; i++) {
      assertThat(command.execute(argument)).isEqualTo(argument == GOOD ? GOOD : -1);
    }
  }

  /** Failures that no retry follows. */
  private void fail(Command<Integer, Integer> command, int times) {
    tenrec.set(ENABLED, "false");
    call(command, times, BAD);
    tenrec.set(ENABLED, "true");
  }

  private static long retries(Command<?, ?> command) {
    return command.view().cumulativeCount(EventType.RETRY);
  }

  @Test
  void asManySuccessesAsFailures_leaveTheShare() {
    Command<Integer, Integer> command = command("Even", once().budget(10, 1));
    call(command, 50, GOOD);
    fail(command, 49);

    call(command, 30, BAD); // of which the first makes it even, and a hundred
    assertThat(retries(command)).isEqualTo(10 + 10);
  }

  @Test
  void moreFailuresThanSuccesses_leaveTheFixedNumber() {
    Command<Integer, Integer> command = command("Down", once().budget(10, 1));
    call(command, 50, GOOD);
    fail(command, 50);

    call(command, 30, BAD); // of which the first is one more than the successes
    assertThat(retries(command)).isEqualTo(10);
    assertThat(command.view().cumulativeCount(EventType.RETRY_BUDGET_EXHAUSTED)).isEqualTo(20);
  }

  @Test
  void share_isThereAgain_whenSuccessesPrevail() {
    Command<Integer, Integer> command = command("Back", once().budget(10, 1));
    fail(command, 49);
    call(command, 20, BAD);
    assertThat(retries(command)).isEqualTo(10);

    time.advance(Duration.ofMillis(50)); // what the budget has read is too old
    call(command, 120, GOOD);
    call(command, 30, BAD); // 120 against 49, 20, 10 and 1: a share of 190
    assertThat(retries(command)).isEqualTo(10 + 19);
  }

  @Test
  void rejectionsOfOurOwn_areNoFailuresOfTheDependency() {
    HeldWork held = HeldWork.polite();
    Command<Integer, Integer> command =
        tenrec
            .command(
                "Full",
                (Integer argument) -> {
                  if (argument == 0) {
                    held.run("the only permit");
                  }
                  return work(argument);
                })
            .isolation(Isolation.semaphore(1))
            .withoutTimeout()
            .withoutCircuitBreaker()
            .fallbackValue(-1)
            .retry(once().budget(10, 1))
            .build();
    call(command, 48, GOOD);
    CompletableFuture<Integer> only = Elsewhere.call(() -> command.execute(0));
    held.awaitRunning(1);
    for (int i = 0; i < 60; i++) {
      assertThat(command.execute(GOOD)).isEqualTo(-1);
    }
    held.letGo();
    assertThat(only.join()).isEqualTo(0);

    call(command, 30, BAD); // 49 against 1: a share of 50
    assertThat(command.view().cumulativeCount(EventType.SEMAPHORE_REJECTED)).isEqualTo(60);
    assertThat(retries(command)).isEqualTo(10 + 5);
  }

  @Test
  void commandOfASharedBudget_addsNothing_andTheOthersTheirs() {
    Command<Integer, Integer> good = command("Good", once().sharedBudget("One").budget(10, 1));
    Command<Integer, Integer> bad = command("Bad", once().sharedBudget("One").budget(10, 1));
    call(good, 100, GOOD);
    fail(bad, 100);

    call(bad, 30, BAD);
    assertThat(retries(bad)).isEqualTo(10 + 10);
  }
}
