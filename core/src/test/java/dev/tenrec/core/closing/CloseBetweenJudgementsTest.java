// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.closing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Closing comes when the work has stopped and its thread is about to say how: that is left to it.
 * It goes on to a fallback that does not return.
 */
class CloseBetweenJudgementsTest {

  private final ManualTime time = new ManualTime();
  private final CountDownLatch reporting = new CountDownLatch(1);
  private final CountDownLatch reported = new CountDownLatch(1);
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch said = new CountDownLatch(1);

  private final CommandListener listener =
      new CommandListener() {
        @Override
        public void onWorkError(ListenedCall call, Throwable error) {
          reporting.countDown();
          Uninterruptibly.await(reported);
        }
      };

  private String hang() {
    asked.countDown();
    Uninterruptibly.await(said);
    return "late";
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void call_isEnded_beforeClosingReturns(boolean limitsAttempts) throws Exception {
    Tenrec tenrec = Tenrec.builder().time(time, time).listen(listener).build();
    Retry retry = Retry.attempts(2);
    try {
      Command<String, String> command =
          tenrec
              .<String, String>command(
                  "Subject",
                  (String argument) -> {
                    throw new IOException("down");
                  })
              .isolation(Isolation.threadPool().coreSize(1))
              .timeout(Duration.ofHours(1))
              .retry(limitsAttempts ? retry.attemptTimeout(Duration.ofMinutes(30)) : retry)
              .fallback((argument, cause) -> hang())
              .build();
      CompletableFuture<String> call = command.executeAsync("x");
      await(reporting);
      CompletableFuture<List<StillRunning>> closed = new CompletableFuture<>();
      Thread closing = Elsewhere.start(() -> closed.complete(tenrec.close(Duration.ZERO)));
      Scenario.await().until(() -> time.waiting().contains(closing)); // for that thread

      reported.countDown();
      await(asked);
      Scenario.await().until(() -> closed.isDone() || time.advanceMillis(1) == null);

      assertThat(CloseReport.atWork(closed.join())).as("the fallback's thread").hasSize(1);
      assertThat(call)
          .failsWithin(PatientWaits.patience())
          .withThrowableThat()
          .isInstanceOf(CancellationException.class);
    } finally {
      reported.countDown();
      said.countDown();
      Elsewhere.close(tenrec, time);
      Scenario.await().until(() -> tenrec.liveThreads() == 0);
    }
  }
}
