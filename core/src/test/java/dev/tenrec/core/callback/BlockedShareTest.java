// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a command still promises while every thread of its share is blocked by its own users. */
@OwnThread
class BlockedShareTest {

  static Stream<Way> ways() {
    return Way.all().stream().filter(way -> way != Way.SEMAPHORE);
  }

  private static final Duration TIMEOUT = Duration.ofMillis(40);

  private final ManualTime time = new ManualTime();
  private final AtomicInteger begun = new AtomicInteger();

  /** Whether each call's deadline comes as soon as its work has begun. */
  private volatile boolean expires;

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec =
      leaks.watch(Tenrec.builder().time(time, time).callbacks(1, 100).build());
  private final CountDownLatch release = new CountDownLatch(1);

  /** Before the guard looks. */
  @AfterEach
  void release() {
    release.countDown();
  }

  private void begins() {
    begun.incrementAndGet();
    if (expires) {
      time.advance(TIMEOUT);
    }
  }

  /** Waits while time goes on: what finds no thread tries again. */
  private <T> T get(CompletableFuture<T> future) throws Exception {
    Scenario.await()
        .until(
            () -> {
              time.advanceMillis(5);
              return future.isDone();
            });
    return future.get();
  }

  /** Built, with its share blocked. */
  private Command<String, String> blocked(
      Way way, UnaryOperator<CommandBuilder<String, String>> with) throws Exception {
    CommandBuilder<String, String> builder =
        way == Way.STAGE
            ? tenrec.asyncCommand(
                "Subject",
                (String argument) -> {
                  begins();
                  return new CompletableFuture<String>();
                })
            : tenrec.command(
                "Subject",
                (String argument) -> {
                  begins();
                  new CountDownLatch(1).await();
                  return argument;
                });
    Command<String, String> command =
        with.apply(builder.isolation(way.isolation(50)).timeout(TIMEOUT).withoutCircuitBreaker())
            .build();
    CountDownLatch blocks = new CountDownLatch(1);
    CompletableFuture<String> unused =
        command
            .executeAsync("hog")
            .whenComplete(
                (value, error) -> {
                  blocks.countDown();
                  Uninterruptibly.await(release);
                });
    await().until(() -> begun.get() == 1);
    time.advance(TIMEOUT);
    Uninterruptibly.await(blocks);
    await().until(() -> command.view().concurrency() == 0);
    expires = true;
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
    Outcome<String> outcome = get(command.attemptAsync("x"));
    assertThat(outcome.error()).isInstanceOf(CommandTimeoutException.class);
    release.countDown();
    assertThat(get(after)).isTrue();
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

    CompletableFuture<Outcome<String>> refused = command.attemptAsync("x");
    await().until(() -> begun.get() == 2); // one that begins late falls back on its own thread
    Outcome<String> outcome = get(refused);

    assertThat(outcome.error()).isInstanceOf(CommandTimeoutException.class);
    assertThat(outcome.has(EventType.FALLBACK_REJECTION)).isTrue();
    assertThat(command.view().cumulativeCount(EventType.FALLBACK_REJECTION)).isEqualTo(1);
    assertThat(Inside.fallbacksInUse(Inside.runtime(command.view()))).isZero();
    release.countDown();
    await().until(() -> !Inside.runtime(command.view()).callbacks().isBlocked());
    // its work lets its deadline come; were time to go on, its fallback might be given up
    assertThat(command.executeAsync("y").get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .isEqualTo("fallback");
    assertThat(fell).isTrue();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void fallbackValue_isServed(Way way) throws Exception {
    Command<String, String> command = blocked(way, builder -> builder.fallbackValue("value"));

    assertThat(get(command.executeAsync("x"))).isEqualTo("value");
    assertThat(command.view().cumulativeCount(EventType.FALLBACK_SUCCESS))
        .isGreaterThanOrEqualTo(2);
    assertThat(command.view().cumulativeCount(EventType.FALLBACK_REJECTION)).isZero();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void caller_thatWaits_isServedByItsOwnFallback(Way way) throws Exception {
    Command<String, String> command =
        blocked(way, builder -> builder.fallback((argument, cause) -> "fallback"));

    assertThat(get(Elsewhere.call(() -> command.execute("x")))).isEqualTo("fallback");
  }
}
