// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Steps;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.metrics.PatientWaits;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever ends calls at the same moment, what was begun is ended, once. */
@Tag("race")
class ListenerRaceTest {

  private static final List<String> ENDINGS = Steps.ENDINGS;
  private static final int CALLERS = 8;
  private static final int CALLS = 400;

  private final List<String> wrong = new ArrayList<>();

  /** What one listener got. */
  private final class Recording extends Steps {

    /** Of each call, in order. */
    private final Map<ListenedCall, Queue<String>> calls = new ConcurrentHashMap<>();

    /** Threads between a start and an end. */
    private final Map<Thread, ListenedCall> busy = new ConcurrentHashMap<>();

    @Override
    public void step(String step, ListenedCall call, @Nullable Object what) {
      calls.computeIfAbsent(call, absent -> new ConcurrentLinkedQueue<>()).add(step);
      Thread here = Thread.currentThread();
      boolean asExpected =
          switch (step) {
            case "thread start" -> busy.put(here, call) == null;
            case "thread end" -> busy.remove(here) == call;
            default -> true;
          };
      if (!asExpected) {
        synchronized (wrong) {
          wrong.add(step + " of another call on " + here);
        }
      }
      if (ThreadLocalRandom.current().nextInt(4) == 0) {
        throw new AssertionError("a listener");
      }
    }
  }

  /** Takes its time, now and then, before the next one is notified. */
  private static final class Dawdling extends Steps {
    @Override
    public void step(String step, ListenedCall call, @Nullable Object what) {
      if (ThreadLocalRandom.current().nextInt(8) == 0) {
        Thread.yield();
      }
    }
  }

  private final Recording recording = new Recording();
  private final Recording last = new Recording();

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec =
      leaks.watch(Tenrec.builder().listen(recording).listen(new Dawdling()).listen(last).build());

  static Stream<Way> ways() {
    return Way.all().stream();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void randomEndings_eachStart_hasOneEndingAndEachThreadItsEnd(Way way) throws Exception {
    Command<Integer, Integer> command = command(way);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      threads.add(Elsewhere.start(() -> callOften(command)));
    }
    for (Thread thread : threads) {
      thread.join(PatientWaits.patience().toMillis());
      assertThat(thread.isAlive()).isFalse();
    }
    assertAllWhole();
    assertThat(recording.calls).hasSizeGreaterThan(CALLERS * CALLS / 2);
  }

  private void assertAllWhole() {
    LeakGuard.assertQuiet(tenrec);
    // endings come after the answers: by the end of this, all have been reported
    assertThat(tenrec.close(PatientWaits.patience())).isEmpty();
    for (Recording one : List.of(recording, last)) {
      await().untilAsserted(() -> assertThat(one.busy).isEmpty());
      assertThat(one.calls.values()).allSatisfy(ListenerRaceTest::assertWhole);
    }
    assertThat(last.calls.keySet()).isEqualTo(recording.calls.keySet());
    assertThat(wrong).isEmpty();
  }

  private static void assertWhole(Collection<String> steps) {
    assertThat(steps).startsWith("start");
    assertThat(steps).filteredOn(step -> !step.endsWith("emit")).doesNotHaveDuplicates();
    assertThat(steps).filteredOn(ENDINGS::contains).hasSize(1);
    List<String> inOrder = List.copyOf(steps);
    assertThat(inOrder.stream().dropWhile(step -> !ENDINGS.contains(step)).skip(1))
        .as("after the ending, of %s", steps)
        .allMatch("thread end"::equals);
    assertThat(steps.contains("thread start")).isEqualTo(steps.contains("thread end"));
    if (steps.contains("fallback start") && !steps.contains("cancel")) {
      assertThat(steps).containsAnyOf("fallback success", "fallback error");
    }
    if (steps.contains("work success") || steps.contains("work error")) {
      assertThat(steps).contains("work start");
    }
  }

  private Command<Integer, Integer> command(Way way) {
    CommandBuilder<Integer, Integer> builder =
        way == Way.STAGE
            ? tenrec.asyncCommand(
                "Race", (Integer n) -> CompletableFuture.supplyAsync(() -> work(n)))
            : tenrec.command("Race", ListenerRaceTest::work);
    return builder
        .isolation(way.isolation(6))
        .timeout(Duration.ofMillis(2))
        .withoutCircuitBreaker()
        .property("execution.isolation.thread.interruptOnFutureCancel", "true")
        .fallback(
            (n, cause) -> {
              if (n % 2 == 0) {
                throw new IllegalStateException("no fallback");
              }
              return n;
            })
        .build();
  }

  private static int work(int n) {
    switch (n % 6) {
      case 0 -> throw new IllegalStateException("down");
      case 1 -> throw new BadRequestException("bad");
      case 2, 3 -> {
        long end = System.nanoTime() + 1_000_000L * (n % 4);
        while (System.nanoTime() < end && !Thread.currentThread().isInterrupted()) {
          Thread.onSpinWait();
        }
      }
      default -> {}
    }
    return n;
  }

  private void callOften(Command<Integer, Integer> command) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    for (int i = 0; i < CALLS; i++) {
      int n = random.nextInt(1_000);
      switch (random.nextInt(4)) {
        case 0 -> command.attempt(n);
        case 1 -> {
          CompletableFuture<Integer> future = command.executeAsync(n);
          if (random.nextBoolean()) {
            future.cancel(true);
          }
        }
        case 2 -> {
          Disposable disposable = command.toSingle(n).subscribe((value, error) -> {});
          if (random.nextBoolean()) {
            disposable.dispose();
          }
        }
        default -> {
          if (n % 8 == 0) {
            Thread.currentThread().interrupt();
          }
          command.attempt(n);
          boolean unused = Thread.interrupted();
        }
      }
    }
  }

  /** A disposal that comes while the start is being reported. */
  @Test
  void disposals_whileCallsBegin_areReportedAfterTheStartOrNotAtAll() throws Exception {
    Command<String, String> command =
        tenrec
            .command("Subject", (String s) -> s)
            .isolation(Isolation.threadPool().coreSize(4))
            .build();
    for (int i = 0; i < 2_000; i++) {
      CompletableFuture<Disposable> made = new CompletableFuture<>();
      Thread disposing = Elsewhere.start(() -> made.join().dispose());
      Disposable unused =
          command.toSingle("a").doOnSubscribe(made::complete).subscribe((value, error) -> {});
      disposing.join();
    }
    assertAllWhole();
  }

  /** Items, limits and ends of streams, and of their fallbacks, while others dispose of them. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void disposals_ofStreams_areReportedLast(boolean onAPool) throws Exception {
    StreamCommand<Integer, Integer> command =
        tenrec
            .streamCommand(
                "Race",
                (Integer n) ->
                    Flowable.range(0, n % 40)
                        .concatWith(
                            switch (n % 3) {
                              case 0 -> Flowable.never();
                              case 1 -> Flowable.error(new IllegalStateException("down"));
                              default -> Flowable.empty();
                            })
                        .subscribeOn(Schedulers.computation()))
            .isolation(onAPool ? Isolation.threadPool().coreSize(4) : Isolation.semaphore(100))
            .timeout(Duration.ofMillis(2))
            .betweenItemsTimeout(Duration.ofMillis(1))
            .withoutCircuitBreaker()
            .fallbackLimit(1_000)
            .fallback((n, cause) -> Flowable.range(0, n % 10).subscribeOn(Schedulers.computation()))
            .build();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      threads.add(Elsewhere.start(() -> subscribeOften(command)));
    }
    for (Thread thread : threads) {
      thread.join(PatientWaits.patience().toMillis());
      assertThat(thread.isAlive()).isFalse();
    }
    // an ending that comes while the publisher's thread reports an item is reported after that
    // item:
    // closing does not wait for a thread of the publisher's
    for (Recording one : List.of(recording, last)) {
      await()
          .untilAsserted(
              () ->
                  assertThat(one.calls.values())
                      .allMatch(steps -> steps.stream().anyMatch(ENDINGS::contains)));
    }
    assertAllWhole();
  }

  private static void subscribeOften(StreamCommand<Integer, Integer> command) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    for (int i = 0; i < 1_500; i++) {
      Disposable disposable =
          command.toFlowable(random.nextInt(1_000)).subscribe(item -> {}, error -> {});
      for (int spins = random.nextInt(3_000); spins > 0; spins--) {
        Thread.onSpinWait();
      }
      disposable.dispose();
    }
  }

  /** Cancellations that come while fallbacks begin. */
  @Test
  void cancellations_whileFallbacksBegin_areReportedLast() throws Exception {
    Command<Integer, Integer> command =
        tenrec
            .<Integer, Integer>command(
                "Race",
                n -> {
                  throw new IllegalStateException("down");
                })
            .isolation(Isolation.threadPool().coreSize(2))
            .withoutCircuitBreaker()
            .fallback((n, cause) -> n)
            .build();
    ThreadLocalRandom random = ThreadLocalRandom.current();
    for (int i = 0; i < 6_000; i++) {
      CompletableFuture<Integer> future = command.executeAsync(i);
      for (int spins = random.nextInt(1_000); spins > 0; spins--) {
        Thread.onSpinWait();
      }
      future.cancel(true);
    }
    assertAllWhole();
  }
}
