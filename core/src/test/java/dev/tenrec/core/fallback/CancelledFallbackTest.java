// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.fallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.HeldWork;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A future that is cancelled while the fallback of its call is on a thread of ours. */
@OwnThread
class CancelledFallbackTest {

  private static final String INTERRUPT_ON_CANCEL =
      "execution.isolation.thread.interruptOnFutureCancel";

  /** Where the fallback is. */
  enum Place {
    /** On the thread of the pool whose work has failed. */
    POOL,
    /** On a virtual thread whose work has failed. */
    VIRTUAL_THREAD,
    /** On a thread of the command's share, because its work has timed out in a pool. */
    SHARE,
    /** The same, and its work was a stage. */
    SHARE_OF_STAGE;

    static Stream<Place> all() {
      return Stream.of(values())
          .filter(
              place ->
                  place != VIRTUAL_THREAD
                      || dev.tenrec.core.internal.isolation.VirtualThreads.supported());
    }
  }

  static Stream<Arguments> cases() {
    return Place.all()
        .flatMap(
            place ->
                Stream.of(true, false)
                    .flatMap(
                        property ->
                            Stream.of(true, false).map(may -> Arguments.of(place, property, may))));
  }

  static Stream<Place> places() {
    return Place.all();
  }

  private static final Duration TIMEOUT = Duration.ofMillis(20);

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec =
      leaks.watch(Tenrec.builder().time(time, time).callbacks(1, 100).build());
  private final HeldWork fallback = HeldWork.stubborn();

  private CommandBuilder<String, String> builder(Place place) {
    return switch (place) {
      case POOL, VIRTUAL_THREAD ->
          tenrec
              .<String, String>command(
                  "Subject",
                  argument -> {
                    throw new IOException("down");
                  })
              .isolation(
                  place == Place.POOL
                      ? Isolation.threadPool().key("Pool").coreSize(1)
                      : Isolation.virtualThreads(5))
              .withoutTimeout();
      case SHARE ->
          tenrec
              .command(
                  "Subject",
                  (String argument) -> {
                    time.advance(TIMEOUT);
                    new CountDownLatch(1).await();
                    return argument;
                  })
              .isolation(Isolation.threadPool().key("Pool").coreSize(1))
              .timeout(TIMEOUT);
      case SHARE_OF_STAGE ->
          tenrec
              .asyncCommand(
                  "Subject",
                  (String argument) -> {
                    time.advance(TIMEOUT);
                    return new CompletableFuture<String>();
                  })
              .isolation(Isolation.semaphore(10))
              .timeout(TIMEOUT);
    };
  }

  private Command<String, String> held(Place place, boolean property) {
    return builder(place)
        .withoutCircuitBreaker()
        .property(INTERRUPT_ON_CANCEL, String.valueOf(property))
        .fallback((argument, cause) -> fallback.run(argument))
        .build();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void cancel_whileTheFallbackIsStubborn_countsItAsBusyUntilItEnds(
      Place place, boolean property, boolean mayInterrupt) throws Exception {
    Command<String, String> command = held(place, property);
    CompletableFuture<String> future = command.executeAsync("x");
    fallback.awaitRunning(1);
    await().until(() -> command.view().stillBusy() == 0); // the work that timed out has ended

    assertThat(future.cancel(mayInterrupt)).isTrue();

    assertThat(future).isCancelled();
    if (property && mayInterrupt) {
      fallback.awaitInterrupts(1);
    }
    assertThat(command.view().stillBusy()).isEqualTo(1);
    assertThat(Inside.fallbacksInUse(Inside.runtime(command.view()))).isEqualTo(1);
    assertThat(command.view().cumulativeCount(EventType.CANCELLED)).isEqualTo(1);

    fallback.letGo();
    await().until(() -> command.view().stillBusy() == 0);
    await().until(() -> command.view().concurrency() == 0);
    // a moment later: its thread gives the fallback's permit back last, and nobody waits for it
    await().until(() -> Inside.fallbacksInUse(Inside.runtime(command.view())) == 0);
    assertThat(fallback.interrupts()).isEqualTo(property && mayInterrupt ? 1 : 0);
    assertThat(command.view().cumulativeCount(EventType.FALLBACK_SUCCESS)).isZero();
  }

  @ParameterizedTest
  @MethodSource("places")
  void cancel_whileTheFallbackWaits_endsIt_andNothingAfterItIsInterrupted(Place place)
      throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    AtomicBoolean leaked = new AtomicBoolean();
    Command<String, String> command =
        builder(place)
            .withoutCircuitBreaker()
            .property(INTERRUPT_ON_CANCEL, "true")
            .fallback(
                (argument, cause) -> {
                  if ("next".equals(argument)) {
                    leaked.set(Thread.currentThread().isInterrupted());
                    return "next";
                  }
                  begun.countDown();
                  try {
                    new CountDownLatch(1).await();
                  } catch (InterruptedException e) {
                    interrupted.set(true);
                    Thread.currentThread().interrupt(); // as user code does
                  }
                  return "late";
                })
            .build();
    CompletableFuture<String> future = command.executeAsync("x");
    Uninterruptibly.await(begun);

    assertThat(future.cancel(true)).isTrue();

    await().untilTrue(interrupted);
    await().until(() -> command.view().stillBusy() == 0);
    await().until(() -> command.view().concurrency() == 0); // the next is on that thread, then
    assertThat(command.executeAsync("next").get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .isEqualTo("next");
    assertThat(leaked).isFalse();
  }

  @ParameterizedTest
  @EnumSource(names = {"POOL", "SHARE_OF_STAGE"})
  @Tag("race")
  void cancel_justWhenTheFallbackEnds_interruptsNothingAfterIt(Place place) throws Exception {
    AtomicInteger leaked = new AtomicInteger();
    AtomicInteger begun = new AtomicInteger();
    Command<String, String> command =
        builder(place)
            .withoutCircuitBreaker()
            .property(INTERRUPT_ON_CANCEL, "true")
            .fallback(
                (argument, cause) -> {
                  if (Thread.currentThread().isInterrupted()) {
                    leaked.incrementAndGet();
                  }
                  begun.incrementAndGet();
                  return argument;
                })
            .build();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
    for (int i = 0; System.nanoTime() - end < 0; i++) {
      int before = begun.get();
      CompletableFuture<String> future = command.executeAsync("x");
      long deadline = System.nanoTime() + PatientWaits.patience().toNanos();
      while (begun.get() == before && !future.isDone() && System.nanoTime() - deadline < 0) {
        Thread.onSpinWait();
      }
      LockSupport.parkNanos(i % 3); // at once, or a moment later
      boolean unused = future.cancel(true);
      await().pollInterval(Duration.ofNanos(1_000)).until(future::isDone); // perhaps a moment later
      await().pollInterval(Duration.ofNanos(1_000)).until(() -> command.view().concurrency() == 0);
    }
    assertThat(leaked).hasValue(0);
    await().until(() -> Inside.abandonedRunning(Inside.runtime(command.view())) == 0);
    await().until(() -> Inside.fallbacksInUse(Inside.runtime(command.view())) == 0);
  }

  /** That thread is the user's: it is not interrupted, and not counted as busy for us. */
  @Test
  void cancel_whileTheFallbackIsOnTheThreadThatEndedThePoolsStage_leavesThatThreadAlone() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    Command<String, String> command =
        tenrec
            .asyncCommand("Subject", (String argument) -> stage)
            .isolation(Isolation.threadPool().key("Pool").coreSize(1))
            .withoutTimeout()
            .property(INTERRUPT_ON_CANCEL, "true")
            .fallback((argument, cause) -> fallback.run(argument))
            .build();
    CompletableFuture<String> future = command.executeAsync("x");
    await().until(() -> stage.getNumberOfDependents() == 1);
    CompletableFuture<Boolean> ended =
        Elsewhere.call(() -> stage.completeExceptionally(new IOException("down")));
    fallback.awaitRunning(1);

    assertThat(future.cancel(true)).isTrue();

    assertThat(command.view().stillBusy()).isZero();
    fallback.letGo();
    assertThat(ended).succeedsWithin(PatientWaits.patience()).isEqualTo(true);
    assertThat(fallback.interrupts()).isZero();
  }

  /** There is nothing left that it could stop. */
  @Test
  void canceller_ofWorkThatHasFailed_doesNotRunWhenItsFallbackIsCancelled() throws Exception {
    AtomicInteger ran = new AtomicInteger();
    Command<String, String> command =
        tenrec
            .<String, String>command(
                "Subject",
                (argument, call) -> {
                  call.onCancel(ran::incrementAndGet);
                  throw new IOException("down");
                })
            .isolation(Isolation.threadPool().coreSize(1))
            .withoutTimeout()
            .fallback((argument, cause) -> fallback.run(argument))
            .build();
    CompletableFuture<String> call = command.executeAsync("x");
    fallback.awaitRunning(1);

    assertThat(call.cancel(false)).isTrue();

    CountDownLatch afterwards = new CountDownLatch(1); // on the thread that would have run it
    Inside.runtime(command.view()).callbacks().execute(CallbackTask.of(afterwards::countDown));
    Uninterruptibly.await(afterwards);
    fallback.letGo();
    assertThat(ran).hasValue(0);
  }
}
