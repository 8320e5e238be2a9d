// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.internal.door.TwoStepFuture;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever completes a future of ours from outside gives the call up; and what looks at it. */
@OwnThread
class OutsideCompletionTest {

  /** One way to complete a future. */
  enum Completion {
    COMPLETE(future -> future.complete("outside")),
    COMPLETE_ASYNC(future -> future.completeAsync(() -> "outside")),
    COMPLETE_ASYNC_ON(future -> future.completeAsync(() -> "outside", Runnable::run)),
    COMPLETE_ASYNC_FAILING(
        future ->
            future.completeAsync(
                () -> {
                  throw new IllegalStateException("outside");
                })),
    COMPLETE_ON_TIMEOUT(future -> future.completeOnTimeout("outside", 5, TimeUnit.MILLISECONDS)),
    OR_TIMEOUT(future -> future.orTimeout(5, TimeUnit.MILLISECONDS)),
    COMPLETE_EXCEPTIONALLY(
        future -> future.completeExceptionally(new IllegalStateException("outside"))),
    OBTRUDE_VALUE(future -> future.obtrudeValue("outside")),
    OBTRUDE_EXCEPTION(future -> future.obtrudeException(new IllegalStateException("outside"))),
    CANCEL(future -> future.cancel(true));

    final Consumer<CompletableFuture<String>> how;

    Completion(Consumer<CompletableFuture<String>> how) {
      this.how = how;
    }

    private boolean isValue() {
      return switch (this) {
        case COMPLETE, COMPLETE_ASYNC, COMPLETE_ASYNC_ON, COMPLETE_ON_TIMEOUT, OBTRUDE_VALUE ->
            true;
        default -> false;
      };
    }
  }

  static Stream<Arguments> cases() {
    return Way.all().stream()
        .filter(way -> way != Way.SEMAPHORE)
        .flatMap(way -> completions().map(completion -> Arguments.of(way, completion)));
  }

  static Stream<Completion> completions() {
    return Stream.of(Completion.values());
  }

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec = leaks.watch(Unhurried.builder().callbacks(1, 100).build());

  private static void assertOutside(CompletableFuture<String> future, Completion completion)
      throws Exception {
    Object seen =
        future
            .handle((value, error) -> error == null ? value : error)
            .get(PatientWaits.seconds(), TimeUnit.SECONDS);
    if (completion.isValue()) {
      assertThat(seen).isEqualTo("outside");
      assertThat(future.join()).isEqualTo("outside");
    } else if (completion == Completion.OR_TIMEOUT) {
      assertThat(seen).isInstanceOf(TimeoutException.class);
    } else if (completion == Completion.CANCEL) {
      assertThat(future).isCancelled();
    } else {
      assertThat(root(seen)).isEqualTo("outside");
    }
  }

  private static String root(Object thrown) {
    Throwable at = (Throwable) thrown;
    while (at.getCause() != null) {
      at = at.getCause();
    }
    return String.valueOf(at.getMessage());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void completion_fromOutside_givesTheCallUp_andIsCountedAsCancelled(Way way, Completion completion)
      throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicInteger stopped = new AtomicInteger();
    Command<String, String> command =
        way == Way.STAGE
            ? tenrec
                .asyncCommand(
                    "Subject",
                    (String argument) -> {
                      begun.countDown();
                      CompletableFuture<String> stage = new CompletableFuture<>();
                      CompletableFuture<String> unused =
                          stage.whenComplete((value, error) -> stopped.incrementAndGet());
                      return stage;
                    })
                .isolation(way.isolation())
                .withoutTimeout()
                .build()
            : tenrec
                .command(
                    "Subject",
                    (String argument) -> {
                      begun.countDown();
                      try {
                        new CountDownLatch(1).await();
                      } finally {
                        stopped.incrementAndGet();
                      }
                      return argument;
                    })
                .isolation(way.isolation())
                .withoutTimeout()
                .property("execution.isolation.thread.interruptOnFutureCancel", "true")
                .build();
    CompletableFuture<String> future = command.executeAsync("x");
    Uninterruptibly.await(begun);

    completion.how.accept(future);

    assertOutside(future, completion);
    await().until(() -> stopped.get() == 1);
    await().until(() -> command.view().concurrency() == 0);
    assertThat(command.view().cumulativeCount(EventType.CANCELLED)).isEqualTo(1);
    assertThat(command.view().cumulativeCount(EventType.SUCCESS)).isZero();
    assertThat(command.view().cumulativeCount(EventType.FAILURE)).isZero();
  }

  @ParameterizedTest
  @MethodSource("completions")
  void completion_ofAMember_leavesItsBatch(Completion completion) throws Exception {
    AtomicInteger batches = new AtomicInteger();
    Collapser<String, String> collapser =
        tenrec
            .<String, String>collapser(
                "Batch",
                ids -> {
                  batches.incrementAndGet();
                  return Map.of();
                })
            .globalScope()
            .timerDelay(Duration.ofMinutes(10))
            .build();
    CompletableFuture<String> future = collapser.executeAsync("x");

    completion.how.accept(future);

    assertOutside(future, completion);
    tenrec.close();
    assertThat(batches).as("batches for which nobody waits").hasValue(0);
  }

  @ParameterizedTest
  @MethodSource("completions")
  void completion_afterTheAnswer_changesNothing(Completion completion) throws Exception {
    Command<String, String> command = tenrec.command("Subject", (String s) -> s).build();
    CompletableFuture<String> future = command.executeAsync("x");
    assertThat(future.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("x");

    completion.how.accept(future);

    boolean obtruded = completion.name().startsWith("OBTRUDE");
    if (!obtruded) {
      assertThat(future.join()).isEqualTo("x");
    }
    assertThat(command.view().cumulativeCount(EventType.SUCCESS)).isEqualTo(1);
    assertThat(command.view().cumulativeCount(EventType.CANCELLED)).isZero();
  }

  /** Published, and not yet completed, because the share that completes it is blocked. */
  @Test
  void looks_atAPublishedFuture_seeItsEnding() throws Exception {
    ManualTime time = new ManualTime(); // or the first call might end before something hangs on it
    Tenrec timed = leaks.watch(Tenrec.builder().time(time, time).callbacks(1, 100).build());
    Command<String, String> command =
        timed
            .asyncCommand("Late", (String argument) -> new CompletableFuture<String>())
            .isolation(Isolation.semaphore(10))
            .timeout(Duration.ofMillis(2))
            .withoutCircuitBreaker()
            .build();
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    CompletableFuture<String> hung =
        command
            .executeAsync("x")
            .whenComplete(
                (value, error) -> {
                  blocked.countDown();
                  Uninterruptibly.await(release);
                });
    time.advanceMillis(2);
    Uninterruptibly.await(blocked);
    CompletableFuture<String> future = command.executeAsync("x");
    time.advanceMillis(2);
    TwoStepFuture<String> ours = (TwoStepFuture<String>) future;

    assertThatThrownBy(() -> future.get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(CommandTimeoutException.class);
    assertThat(future.isDone()).isTrue();
    assertThat(future.isCompletedExceptionally()).isTrue();
    assertThat(future.isCancelled()).isFalse();
    assertThatThrownBy(future::get).hasCauseInstanceOf(CommandTimeoutException.class);
    assertThatThrownBy(future::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(CommandTimeoutException.class);
    assertThatThrownBy(() -> future.getNow("absent"))
        .hasCauseInstanceOf(CommandTimeoutException.class);
    assertThat(ours.exceptionNow()).isInstanceOf(CommandTimeoutException.class);
    assertThatThrownBy(ours::resultNow).isInstanceOf(IllegalStateException.class);
    assertThat(future.complete("outside")).isFalse();
    assertThat(future.completeExceptionally(new IOException())).isFalse();
    assertThat(future.cancel(true)).isFalse();
    assertThat(command.view().cumulativeCount(EventType.CANCELLED)).isZero();
    release.countDown();
    assertThatThrownBy(hung::join).hasCauseInstanceOf(CommandTimeoutException.class);
  }

  @Test
  void resultNow_andExceptionNow_areAsTheJdkHasThem() throws Exception {
    Command<String, String> command =
        tenrec
            .command(
                "Subject",
                (String s) -> {
                  if (s.isEmpty()) {
                    throw new IOException("down");
                  }
                  return s;
                })
            .build();
    CompletableFuture<String> good = command.executeAsync("x");
    CompletableFuture<String> bad = command.executeAsync("");
    await().until(() -> good.isDone() && bad.isDone());

    assertThat(((TwoStepFuture<String>) good).resultNow()).isEqualTo("x");
    assertThatThrownBy(((TwoStepFuture<String>) good)::exceptionNow)
        .isInstanceOf(IllegalStateException.class);
    assertThat(((TwoStepFuture<String>) bad).exceptionNow()).isInstanceOf(IOException.class);
    assertThatThrownBy(((TwoStepFuture<String>) bad)::resultNow)
        .isInstanceOf(IllegalStateException.class);
  }
}
