// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Asynchronous work whose start blocks the thread of ours that it is on. */
@OwnThread
class StagedStartTest {

  private static final Duration TIMEOUT = Duration.ofMillis(30);

  static Stream<Arguments> awayEverywhere() {
    return Scenario.combined(Way.away(), List.of(Door.values()));
  }

  static Stream<Way> away() {
    return Way.away().stream();
  }

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());

  /** Its deadline is now, when it has begun, and it blocks. */
  private String hangBeyondTheDeadline(CompletableFuture<Boolean> interrupted) {
    time.advance(TIMEOUT);
    return hang(interrupted);
  }

  private static String hang(CompletableFuture<Boolean> interrupted) {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      interrupted.complete(true);
    }
    return "late";
  }

  @ParameterizedTest
  @MethodSource("awayEverywhere")
  void start_thatBlocks_isInterruptedAtItsDeadline(Way way, Door door) throws Exception {
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    AtomicReference<CompletableFuture<String>> returned = new AtomicReference<>();
    Command<String, String> command =
        tenrec
            .asyncCommand(
                "Subject",
                (String argument) -> {
                  String unused = hangBeyondTheDeadline(interrupted);
                  returned.set(new CompletableFuture<>());
                  return returned.get();
                })
            .isolation(way.isolation())
            .timeout(TIMEOUT)
            .build();

    assertThat(door.call(command, "x", cancel -> {}).error())
        .isInstanceOf(CommandTimeoutException.class);

    assertThat(interrupted.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    await().until(() -> returned.get() != null && returned.get().isCancelled());
    await().until(() -> command.view().concurrency() == 0);
    assertThat(command.view().cumulativeCount(EventType.TIMEOUT)).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("away")
  void start_thatBlocks_whereTimeOutsDoNotInterrupt_goesOn(Way way) throws Exception {
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    CountDownLatch release = new CountDownLatch(1);
    Command<String, String> command =
        tenrec
            .asyncCommand(
                "Subject",
                (String argument) -> {
                  try {
                    time.advance(TIMEOUT);
                    release.await();
                    interrupted.complete(false);
                  } catch (InterruptedException e) {
                    interrupted.complete(true);
                  }
                  return CompletableFuture.completedFuture("late");
                })
            .isolation(way.isolation())
            .timeout(TIMEOUT)
            .property("execution.isolation.thread.interruptOnTimeout", "false")
            .build();

    Outcome<String> outcome = command.attempt("x");

    assertThat(outcome.error()).isInstanceOf(CommandTimeoutException.class);
    assertThat(command.view().stillBusy()).isEqualTo(1);
    release.countDown();
    assertThat(interrupted.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isFalse();
  }

  /** The stage goes on without its thread, which is at other things when the deadline comes. */
  @Test
  @Tag("race")
  void interrupt_atTheDeadline_neverReachesTheThreadAfterItHasReturnedItsStage() throws Exception {
    Tenrec tenrec = leaks.watch(Tenrec.create()); // in real time
    AtomicInteger leaked = new AtomicInteger();
    Isolation pool = // room for all: a stage is cancelled, and its permit back, after the answer
        Isolation.threadPool().key("One").coreSize(1).property("maxQueueSize", "10000");
    AtomicReference<Long> spins = new AtomicReference<>(0L);
    Command<String, String> late =
        tenrec
            .asyncCommand(
                "Late",
                (String argument) -> {
                  long until = System.nanoTime() + spins.get();
                  while (System.nanoTime() - until < 0 && !Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                  }
                  return new CompletableFuture<String>();
                })
            .isolation(pool)
            .timeout(Duration.ofMillis(1))
            .withoutCircuitBreaker()
            .build();
    Command<String, String> next =
        tenrec
            .command(
                "Next",
                (String argument) -> {
                  long until = System.nanoTime() + 300_000;
                  boolean seen = false;
                  while (System.nanoTime() - until < 0) {
                    seen |= Thread.currentThread().isInterrupted();
                  }
                  if (seen) {
                    leaked.incrementAndGet();
                  }
                  return argument;
                })
            .isolation(pool)
            .withoutTimeout()
            .withoutCircuitBreaker()
            .build();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
    for (int i = 0; System.nanoTime() - end < 0; i++) {
      spins.set(900_000L + i % 40 * 10_000L);
      CompletableFuture<String> first = late.executeAsync("x");
      CompletableFuture<String> second = next.executeAsync("y");
      assertThat(second.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("y");
      assertThat(
              first
                  .<Throwable>handle((value, error) -> error)
                  .get(PatientWaits.seconds(), TimeUnit.SECONDS))
          .isInstanceOf(CommandTimeoutException.class);
    }
    assertThat(leaked).hasValue(0);
  }
}
