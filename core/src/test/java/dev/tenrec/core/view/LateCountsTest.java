// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.HeldWork;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What happens long after the last bucket began counts when it happens: it is in the window a
 * second later, although nothing has been counted or read for longer than the window.
 */
class LateCountsTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final HeldWork held = HeldWork.polite();

  @AfterEach
  void close() {
    held.letGo();
    Elsewhere.close(tenrec, time);
    await().until(() -> tenrec.liveThreads() == 0); // time went on while closing waited for them
  }

  private void longSilence() {
    time.advanceMillis(30_000);
  }

  /** Nothing rolls the buckets before this but what is under test. */
  private void soonAfter() {
    time.advanceMillis(1_000);
  }

  @Test
  void members_ofABatchAfterASilence_countWhenItBegins() throws Exception {
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapserByPosition("Batch", (List<Integer> all) -> all)
            .globalScope()
            .maxRequestsInBatch(2)
            .build();
    longSilence();
    CompletableFuture<Integer> one = collapser.executeAsync(1);
    CompletableFuture<Integer> two = collapser.executeAsync(2);
    assertThat(one.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isOne();
    assertThat(two.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo(2);
    soonAfter();

    assertThat(collapser.batchView().rollingCount(EventType.COLLAPSED)).isEqualTo(2);
  }

  @Test
  void item_ofAStreamAfterASilence_countsWhenItComes() {
    StreamCommand<Integer, Integer> stream =
        tenrec
            .streamCommand("Stream", (Integer n) -> Flowable.range(0, n))
            .isolation(Isolation.semaphore(1))
            .withoutTimeout()
            .build();
    TestSubscriber<Integer> items = stream.toFlowable(3).test(1);
    items.assertValues(0);
    longSilence();
    items.request(1);
    items.assertValues(0, 1);
    soonAfter();

    assertThat(stream.view().rollingCount(EventType.EMIT)).as("the second one").isOne();
    assertThat(stream.view().cumulativeCount(EventType.EMIT)).isEqualTo(2);
    items.cancel();
  }

  @Test
  void cancelling_aHitAfterASilence_countsWhenItHappens() throws Exception {
    Command<String, String> command =
        tenrec
            .command("Shared", held)
            .isolation(Isolation.threadPool().coreSize(1))
            .withoutTimeout()
            .cacheKey(argument -> argument)
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = command.executeAsync("a");
      held.awaitRunning(1);
      longSilence();
      CompletableFuture<String> hit = command.executeAsync("a");
      assertThat(hit.cancel(true)).isTrue();
      soonAfter();

      assertThat(command.view().rollingCount(EventType.CANCELLED)).isOne();
      held.letGo();
      assertThat(first.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("a");
      // that says nothing of the run's health, neither for it nor against it
      await()
          .untilAsserted(
              () -> assertThat(command.view().health()).isEqualTo(new HealthSnapshot(1, 0, 0)));
    }
  }

  /** On the caller's own thread, where a refusal is counted together with its answer. */
  @Test
  void refusal_ofAnOpenCircuitAfterASilence_countsWhenItHappens() {
    Command<String, String> command =
        tenrec
            .command("Open", (String argument) -> argument)
            .isolation(Isolation.semaphore(1))
            .fallbackValue("refused")
            .build();
    tenrec.set("tenrec.command.Open.circuitBreaker.forceOpen", "true");
    assertThat(command.execute("x")).isEqualTo("refused");
    longSilence();
    assertThat(command.execute("x")).isEqualTo("refused");
    soonAfter();

    assertThat(command.view().rollingCount(EventType.SHORT_CIRCUITED)).as("the second").isOne();
    assertThat(command.view().cumulativeCount(EventType.SHORT_CIRCUITED)).isEqualTo(2);
  }
}
