// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.InsideTenrec;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.engine.Registry;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What closing asks a call's part in a run: whether the run's work is done, and judged still. */
class CacheWaiterTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final CountDownLatch release = new CountDownLatch(1);
  private final CountDownLatch judging = new CountDownLatch(1);
  private final CountDownLatch judged = new CountDownLatch(1);

  @AfterEach
  void close() {
    release.countDown();
    judged.countDown();
    Elsewhere.close(tenrec, time);
  }

  /** Its work is released, then user code that judges the result is. */
  private Command<String, String> command() {
    return tenrec
        .command(
            "Get",
            (String s) -> {
              release.await();
              return s;
            })
        .isolation(Isolation.threadPool())
        .withoutTimeout()
        .failIf(
            result -> {
              judging.countDown();
              Uninterruptibly.await(judged);
              return false;
            })
        .cacheKey(s -> s)
        .build();
  }

  @SuppressWarnings("unchecked")
  private CacheEntry<String, String> entry(Command<String, String> command) {
    Registry registry = InsideTenrec.registry(tenrec);
    return (CacheEntry<String, String>)
        Objects.requireNonNull(
            Objects.requireNonNull(registry.engine().requests().openParts())
                .cache()
                .find(Objects.requireNonNull(registry.find(command.key())).runtime(), "a"));
  }

  /** Of a call that is not launched, and that only the test ends. */
  private CacheWaiter<String, String> part(CacheEntry<String, String> entry) {
    Execution<String, String> run = Objects.requireNonNull(entry.execution());
    return new CacheWaiter<>(
        new Execution<>(run.pipeline, run.plan, "a", null, false, time.nanoTime()), entry, false);
  }

  @Test
  void part_whileTheResultOfItsRunIsJudged_isUndecidedUnlessTheCallHasEnded() throws Exception {
    Command<String, String> command = command();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = command.executeAsync("a");
      CacheEntry<String, String> entry = entry(command);
      CacheWaiter<String, String> waiting = part(entry);
      CacheWaiter<String, String> ended = part(entry);
      assertThat(waiting.isUndecided()).as("the work goes on").isFalse();

      release.countDown();
      assertThat(judging.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();

      assertThat(waiting.isUndecided()).isTrue();
      assertThat(ended.isUndecided()).isTrue();
      Execution<String, String> call = ended.execution();
      assertThat(
              call.pipeline.abandonment.giveUp(
                  call, EventType.CANCELLED, new IllegalStateException("of the test"), false))
          .isTrue();
      assertThat(ended.isUndecided()).as("it was given up").isFalse();

      judged.countDown();
      assertThat(first.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("a");
      Scenario.await().until(() -> entry.execution() == null);
      assertThat(waiting.isUndecided()).as("the run has ended").isFalse();
    }
  }
}
