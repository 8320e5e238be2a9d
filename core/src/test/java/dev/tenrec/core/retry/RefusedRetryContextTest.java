// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.context.ContextPropagator;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.internal.callback.FailureLog;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A call that found no room needed no context so far; the attempt that follows does. And a hedge
 * has it for as long as it is being begun.
 */
class RefusedRetryContextTest {

  private final ThreadLocal<String> tenant = new ThreadLocal<>();
  private final ManualTime time = new ManualTime();
  private final ContextPropagator propagator =
      () -> {
        String captured = tenant.get();
        return () -> {
          String before = tenant.get();
          tenant.set(captured);
          return () -> tenant.set(before);
        };
      };

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec =
      leaks.watch(Tenrec.builder().time(time, time).propagate(propagator).build());

  @Test
  void attempt_afterARefusal_hasTheContextOfItsCaller() throws Exception {
    CompletableFuture<String> occupied = new CompletableFuture<>();
    var pool = Isolation.threadPool().key("Pool").coreSize(1);
    Command<String, String> occupant =
        tenrec
            .command("Occupant", (String argument) -> occupied.get())
            .isolation(pool)
            .withoutTimeout()
            .build();
    Command<String, String> command =
        tenrec
            .command("Subject", (String argument) -> argument + tenant.get())
            .isolation(pool)
            .withoutTimeout()
            .retry(
                Retry.attempts(2)
                    .backoff(Duration.ofMillis(10), Duration.ofMillis(10))
                    .jitter(Jitter.NONE)
                    .onRefusals())
            .build();
    CompletableFuture<String> only = occupant.executeAsync("x");
    tenant.set("ours");
    CompletableFuture<String> call;
    try {
      call = command.executeAsync("it is ");
    } finally {
      tenant.remove();
    }
    assertThat(Inside.waitingForRetry(command.view())).isOne();
    assertThat(command.view().cumulativeCount(EventType.THREAD_POOL_REJECTED)).isOne();
    occupied.complete("done");
    assertThat(only.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("done");
    await().until(() -> occupant.view().concurrency() == 0);
    time.advanceMillis(10);

    assertThat(call.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("it is ours");
  }

  /** The thread that begins it goes on to other calls' tasks. */
  @Test
  void hedge_thatHasBegun_leavesItsThreadWithoutItsContext() throws Exception {
    AtomicInteger open = new AtomicInteger();
    Tenrec counting =
        leaks.watch(
            Tenrec.builder()
                .time(time, time)
                .propagate(
                    () ->
                        () -> {
                          open.incrementAndGet();
                          return open::decrementAndGet;
                        })
                .build());
    CompletableFuture<String> answer = new CompletableFuture<>();
    CountDownLatch both = new CountDownLatch(2);
    Command<String, String> command =
        counting
            .asyncCommand(
                "Subject",
                (String argument) -> {
                  both.countDown();
                  return answer;
                })
            .withoutTimeout()
            .hedge(Hedge.after(Duration.ofMillis(10)))
            .build();
    CompletableFuture<String> call = command.executeAsync("x");
    time.advanceMillis(10);
    assertThat(both.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    answer.complete("done");

    assertThat(call.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("done");
    await().untilAsserted(() -> assertThat(open).hasValue(0));
  }

  /** A propagator is user code, and what it throws is the context's loss alone. */
  @Test
  void attempt_whoseContextCannotBeOpened_beginsWithoutIt() throws Exception {
    Tenrec failing =
        leaks.watch(
            Tenrec.builder()
                .time(time, time)
                .propagate(
                    () ->
                        () -> {
                          throw new IllegalStateException("no context");
                        })
                .build());
    AtomicInteger attempts = new AtomicInteger();
    Command<String, String> command =
        failing
            .asyncCommand(
                "Subject",
                (String argument) ->
                    attempts.incrementAndGet() == 1
                        ? CompletableFuture.failedFuture(new IOException("the first fails"))
                        : CompletableFuture.completedFuture(argument))
            .withoutTimeout()
            .retry(
                Retry.attempts(2)
                    .backoff(Duration.ofMillis(10), Duration.ofMillis(10))
                    .jitter(Jitter.NONE))
            .build();
    CompletableFuture<String> call = command.executeAsync("x");
    time.advanceMillis(10);

    assertThat(call.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("x");
  }

  /** A stage whose first attempt fails, with a retry ten milliseconds later. */
  private Command<String, String> failingFirst(Tenrec of, Runnable second) {
    AtomicInteger attempts = new AtomicInteger();
    return of.asyncCommand(
            "Subject",
            (String argument) -> {
              if (attempts.incrementAndGet() == 1) {
                return CompletableFuture.failedFuture(new IOException("the first fails"));
              }
              second.run();
              return CompletableFuture.completedFuture(argument);
            })
        .withoutTimeout()
        .retry(
            Retry.attempts(2)
                .backoff(Duration.ofMillis(10), Duration.ofMillis(10))
                .jitter(Jitter.NONE))
        .build();
  }

  private void assertRetried(Command<String, String> command) {
    CompletableFuture<String> call = command.executeAsync("x");
    time.advanceMillis(10);
    assertThat(call).succeedsWithin(PatientWaits.patience()).isEqualTo("x");
  }

  /** The thread that begins it goes on to other calls' tasks. */
  @Test
  void retry_thatHasBegun_leavesItsThreadWithoutItsContext() {
    AtomicInteger open = new AtomicInteger();
    AtomicInteger atWork = new AtomicInteger();
    Tenrec counting =
        leaks.watch(
            Tenrec.builder()
                .time(time, time)
                .propagate(
                    () ->
                        () -> {
                          open.incrementAndGet();
                          return open::decrementAndGet;
                        })
                .build());

    assertRetried(failingFirst(counting, () -> atWork.set(open.get())));

    assertThat(atWork).hasValue(1);
    await().untilAsserted(() -> assertThat(open).hasValue(0));
  }

  private static void awaitLogged(List<String> loggers) {
    await().until(() -> loggers.contains(FailureLog.class.getName()));
  }

  /** The one who wrote the propagator has to know. */
  @Test
  void context_thatCannotBeOpenedForARetry_isLoggedOnce() throws Exception {
    SwitchedLogging.requireInstalled();
    List<String> loggers = new CopyOnWriteArrayList<>();
    Tenrec failing =
        Tenrec.builder()
            .time(time, time)
            .propagate(
                () ->
                    () -> {
                      throw new IllegalStateException("no context");
                    })
            .build();
    try (AutoCloseable switched = SwitchedLogging.on(loggers::add)) {
      assertRetried(failingFirst(failing, () -> awaitLogged(loggers)));
      Elsewhere.close(failing, time);
    }

    assertThat(loggers).filteredOn(FailureLog.class.getName()::equals).hasSize(1);
  }

  @Test
  void context_thatCannotBePutBackAfterARetryHasBegun_isLogged() throws Exception {
    SwitchedLogging.requireInstalled();
    List<String> loggers = new CopyOnWriteArrayList<>();
    Tenrec failing =
        leaks.watch(
            Tenrec.builder()
                .time(time, time)
                .propagate(
                    () ->
                        () ->
                            () -> {
                              throw new IllegalStateException("no way back");
                            })
                .build());
    try (AutoCloseable switched = SwitchedLogging.on(loggers::add)) {
      assertRetried(failingFirst(failing, () -> {}));

      awaitLogged(loggers);
    }
  }
}
