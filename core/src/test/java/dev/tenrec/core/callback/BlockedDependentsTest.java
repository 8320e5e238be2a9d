// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What users hang on the futures of all commands but one blocks: the one does not notice, and of
 * the others only what is hung on their futures waits. 33 is one more than the callback executor
 * has threads.
 */
@OwnThread
class BlockedDependentsTest {

  private static final Duration TIMEOUT = Duration.ofMillis(50);
  private static final int COMMANDS = 4;

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());
  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicInteger blocked = new AtomicInteger();
  private final List<Command<String, String>> hogs = new ArrayList<>();
  private final List<CompletableFuture<String>> futures = new ArrayList<>();
  private final List<CompletableFuture<String>> dependents = new ArrayList<>();

  /** Before the guard looks. */
  @AfterEach
  void release() {
    release.countDown();
  }

  private CommandBuilder<String, String> late(String key) {
    return tenrec
        .asyncCommand(key, (String argument) -> new CompletableFuture<String>())
        .isolation(Isolation.semaphore(1_000))
        .timeout(TIMEOUT)
        .property("execution.isolation.stage.abandonAfterInMilliseconds", "50")
        .withoutCircuitBreaker();
  }

  private String block() {
    blocked.incrementAndGet();
    boolean interrupted = false;
    while (true) {
      try {
        release.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return "released";
  }

  /** Has each of several commands time out, with dependents that block. */
  private void blockDependents(int count) {
    for (int i = 0; i < COMMANDS; i++) {
      hogs.add(late("Hog" + i).build());
    }
    for (int i = 0; i < count; i++) {
      CompletableFuture<String> future = hogs.get(i % COMMANDS).executeAsync("x");
      futures.add(future);
      dependents.add(future.handle((value, error) -> block()));
    }
    time.advance(TIMEOUT);
    // at least one of each command: how many block at once is for its share to say
    await()
        .atMost(PatientWaits.patience())
        .untilAsserted(() -> assertThat(blocked).hasValueGreaterThanOrEqualTo(COMMANDS));
  }

  private CompletableFuture<String> callUntilItsTimeOut(Command<String, String> command) {
    CompletableFuture<String> future = command.executeAsync("x");
    time.advance(TIMEOUT);
    return future;
  }

  private static void assertTimesOut(CompletableFuture<String> future, String whose) {
    assertThatThrownBy(() -> future.get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .as("%s, while dependents block", whose)
        .hasCauseInstanceOf(CommandTimeoutException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {33, 200})
  void timeOuts_ofTheOnlyCommandWhoseDependentsDoNotBlock_areDelivered(int count) throws Exception {
    blockDependents(count);
    Command<String, String> other = late("Other").build();

    for (int i = 0; i < 20; i++) {
      assertTimesOut(callUntilItsTimeOut(other), "the other command's call " + i);
    }
    CompletableFuture<String> seen = other.executeAsync("x").handle((value, error) -> "seen");
    time.advance(TIMEOUT);
    assertThat(seen.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("seen");
  }

  @ParameterizedTest
  @ValueSource(ints = {33, 200})
  void fallbacksAndCancellers_ofTheOtherCommand_run(int count) throws Exception {
    blockDependents(count);
    AtomicInteger cancelled = new AtomicInteger();
    Command<String, String> other =
        tenrec
            .asyncCommand(
                "Other",
                (String argument, Call call) -> {
                  call.onCancel(cancelled::incrementAndGet);
                  return new CompletableFuture<String>();
                })
            .isolation(Isolation.semaphore(1_000))
            .timeout(TIMEOUT)
            .property("execution.isolation.stage.abandonAfterInMilliseconds", "50")
            .withoutCircuitBreaker()
            .fallback((argument, cause) -> "fallback")
            .build();

    for (int i = 1; i <= 10; i++) {
      assertThat(callUntilItsTimeOut(other).get(PatientWaits.seconds(), TimeUnit.SECONDS))
          .isEqualTo("fallback");
      int expected = i;
      await()
          .atMost(PatientWaits.patience())
          .untilAsserted(() -> assertThat(cancelled).hasValue(expected));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {33, 200})
  void futures_ofTheCommandsWhoseDependentsBlock_areDoneAllTheSame(int count) throws Exception {
    blockDependents(count);

    for (int i = 0; i < futures.size(); i++) {
      assertTimesOut(futures.get(i), "the future of a hog, call " + i);
    }
    for (Command<String, String> hog : hogs) {
      assertTimesOut(callUntilItsTimeOut(hog), "a later call of " + hog.key());
      CompletableFuture<String> joined = callUntilItsTimeOut(hog);
      assertThatThrownBy(() -> joined.orTimeout(PatientWaits.seconds(), TimeUnit.SECONDS).join())
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(CommandTimeoutException.class);
      CompletableFuture<String> looked = callUntilItsTimeOut(hog);
      await().atMost(PatientWaits.patience()).until(looked::isDone);
      CompletableFuture<String> waiting = Elsewhere.call(() -> hog.execute("x"));
      await()
          .atMost(PatientWaits.patience())
          .untilAsserted(
              () -> {
                time.advance(TIMEOUT);
                assertThat(waiting).isDone();
                assertThat(hog.view().concurrency()).as(hog.key()).isZero();
              });
      assertTimesOut(waiting, "a call whose caller waits, of " + hog.key());
    }

    release.countDown();
    for (CompletableFuture<String> dependent : dependents) {
      assertThat(dependent.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("released");
    }
    assertThat(blocked).hasValue(count);
  }
}
