// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CommandView;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A caller that waits for the thread which has claimed its ending, and not published it yet. */
@Timeout(900)
class OwnedEndingTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();

  @AfterEach
  void close() {
    tenrec.close(Duration.ZERO);
  }

  /** It comes too late to give the call up, and must not be lost for that. */
  @Test
  void interrupt_whileAnotherThreadOwnsTheEnding_isKept() throws Exception {
    CommandView view =
        tenrec
            .command("Subject", (String argument) -> argument)
            .isolation(Isolation.semaphore(1))
            .build()
            .view();
    WorkBody<String, String> body = new WorkBody.Plain<>(argument -> argument);
    Pipeline<String, String> pipeline =
        new Pipeline<>(Inside.runtime(view), body, null, Classification.DEFAULT, null);
    AtomicReference<Execution<String, String>> made = new AtomicReference<>();
    CountDownLatch owned = new CountDownLatch(1);
    CompletableFuture<Boolean> kept = new CompletableFuture<>();
    Thread caller =
        Elsewhere.start(
            () -> {
              Execution<String, String> own =
                  pipeline.waitingHere(pipeline.runtime.plan(), "argument");
              made.set(own);
              Uninterruptibly.await(owned);
              Thread.currentThread().interrupt();
              CallerWait.untilAnswered(own, pipeline.runtime.engine);
              kept.complete(Thread.currentThread().isInterrupted());
            });
    await().until(() -> made.get() != null);
    Execution<String, String> call = made.get();
    Exception cause = new BadRequestException("of the owner");
    assertThat(pipeline.completion.claimed(call, EventType.BAD_REQUEST, null, cause)).isTrue();
    owned.countDown();
    await().until(() -> time.waiting().contains(caller));
    assertThat(call.isAnswered()).isFalse();

    pipeline.conclude(call, EventType.BAD_REQUEST, cause);

    assertThat(kept.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(call.error()).isSameAs(cause);
  }
}
