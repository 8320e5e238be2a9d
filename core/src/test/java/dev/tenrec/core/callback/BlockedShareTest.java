// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.event.EventType;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a command still promises while every thread of its share is blocked by its own users. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BlockedShareTest {

  static Stream<Way> ways() {
    return Way.all().stream().filter(way -> way != Way.SEMAPHORE);
  }

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec = leaks.watch(Tenrec.builder().callbacks(1, 100).build());
  private final CountDownLatch release = new CountDownLatch(1);

  /** Before the guard looks. */
  @AfterEach
  void release() {
    release.countDown();
  }

  /** Built, with its share blocked. */
  private Command<String, String> blocked(
      Way way, UnaryOperator<CommandBuilder<String, String>> with) throws Exception {
    CommandBuilder<String, String> builder =
        way == Way.STAGE
            ? tenrec.asyncCommand("Subject", (String argument) -> new CompletableFuture<String>())
            : tenrec.command(
                "Subject",
                (String argument) -> {
                  new CountDownLatch(1).await();
                  return argument;
                });
    Command<String, String> command =
        with.apply(
                builder
                    .isolation(way.isolation(50))
                    .timeout(Duration.ofMillis(40))
                    .withoutCircuitBreaker())
            .build();
    CountDownLatch begun = new CountDownLatch(1);
    Thread tester = Thread.currentThread();
    CompletableFuture<String> hog;
    do {
      hog =
          command
              .executeAsync("hog")
              .whenComplete(
                  (value, error) -> {
                    if (Thread.currentThread() != tester) { // else it had timed out before
                      begun.countDown();
                      Uninterruptibly.await(release, 50);
                    }
                  });
    } while (hog.isDone());
    Uninterruptibly.await(begun);
    await().until(() -> command.view().concurrency() == 0);
    return command;
  }

  @ParameterizedTest
  @MethodSource("ways")
  void timeOut_withoutFallback_isSeen(Way way) throws Exception {
    Command<String, String> command = blocked(way, builder -> builder);
    AtomicBoolean dependent = new AtomicBoolean();
    CompletableFuture<String> future = command.executeAsync("x");
    CompletableFuture<Boolean> after =
        future.handle(
            (value, error) -> {
              dependent.set(true);
              return true;
            });
    boolean early = after.isDone();

    await().until(future::isDone);

    assertThat(future.isCompletedExceptionally()).isTrue();
    await().until(() -> command.view().concurrency() == 0);
    assertThat(command.view().cumulativeCount(EventType.TIMEOUT)).isGreaterThanOrEqualTo(2);
    assertThat(dependent.get()).isEqualTo(early);
    Outcome<String> outcome = command.attemptAsync("x").get(20, TimeUnit.SECONDS);
    assertThat(outcome.error()).isInstanceOf(CommandTimeoutException.class);
    release.countDown();
    assertThat(after.get(20, TimeUnit.SECONDS)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void fallback_thatFindsNoThread_endsTheCallWithItsFirstCause(Way way) throws Exception {
    AtomicBoolean fell = new AtomicBoolean();
    Command<String, String> command =
        blocked(
            way,
            builder ->
                builder.fallback(
                    (argument, cause) -> {
                      if (!"hog".equals(argument)) {
                        fell.set(true);
                      }
                      return "fallback";
                    }));

    Outcome<String> outcome = command.attemptAsync("x").get(20, TimeUnit.SECONDS);

    assertThat(outcome.error()).isInstanceOf(CommandTimeoutException.class);
    assertThat(outcome.has(EventType.FALLBACK_REJECTION)).isTrue();
    assertThat(command.view().cumulativeCount(EventType.FALLBACK_REJECTION)).isEqualTo(1);
    assertThat(Inside.fallbacksInUse(Inside.runtime(command.view()))).isZero();
    release.countDown();
    assertThat(command.executeAsync("y").get(20, TimeUnit.SECONDS)).isEqualTo("fallback");
    assertThat(fell).isTrue();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void fallbackValue_isServed(Way way) throws Exception {
    Command<String, String> command = blocked(way, builder -> builder.fallbackValue("value"));

    assertThat(command.executeAsync("x").get(20, TimeUnit.SECONDS)).isEqualTo("value");
    assertThat(command.view().cumulativeCount(EventType.FALLBACK_SUCCESS))
        .isGreaterThanOrEqualTo(2);
    assertThat(command.view().cumulativeCount(EventType.FALLBACK_REJECTION)).isZero();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void caller_thatWaits_isServedByItsOwnFallback(Way way) throws Exception {
    Command<String, String> command =
        blocked(way, builder -> builder.fallback((argument, cause) -> "fallback"));

    assertThat(command.execute("x")).isEqualTo("fallback");
  }
}
