// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.isolation.VirtualThreads;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.event.EventType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** From the door to the permit and back: what is free is never refused. */
@OwnThread
class PermitExactnessTest {

  /** In the long form 100,000. */
  private static final int CALLS = Integer.getInteger("tenrec.exactness.calls", 2_000);

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec = leaks.watch(Unhurried.tenrec());

  static Stream<Object[]> kindsAndDoors() {
    return Stream.of("pool", "semaphore", "virtual", "stage")
        .flatMap(
            kind ->
                Stream.of(
                        "execute",
                        "executeAsync",
                        "toSingle",
                        "attempt",
                        "attemptAsync",
                        "attemptSingle")
                    .map(door -> new Object[] {kind, door}));
  }

  @ParameterizedTest
  @MethodSource("kindsAndDoors")
  @Tag("race")
  void limitOfOne_neverRefusesTheNextCallOfTheSameCaller(String kind, String door) {
    assumeTrue(!kind.equals("virtual") || VirtualThreads.supported());
    Command<Integer, Integer> one = limitedToOne(kind);
    ToIntFunction<Integer> call =
        switch (door) {
          case "execute" -> one::execute;
          case "executeAsync" -> i -> one.executeAsync(i).join();
          case "toSingle" -> i -> one.toSingle(i).blockingGet();
          case "attemptAsync" -> i -> answer(one.attemptAsync(i).join());
          case "attemptSingle" -> i -> answer(one.attemptSingle(i).blockingGet());
          default -> i -> answer(one.attempt(i));
        };

    for (int i = 0; i < CALLS; i++) {
      assertThat(call.applyAsInt(i)).isEqualTo(i);
    }

    // a caller that waits takes a thread for lost that is held up before it has counted
    await()
        .untilAsserted(
            () -> assertThat(one.view().cumulativeCount(EventType.SUCCESS)).isEqualTo(CALLS));
  }

  /** Fails with why there is none, as the doors that throw do. */
  private static int answer(Outcome<Integer> outcome) {
    assertThat(outcome.error()).as("%s", outcome.explain()).isNull();
    return outcome.value();
  }

  private Command<Integer, Integer> limitedToOne(String kind) {
    if (kind.equals("stage")) {
      return tenrec
          .asyncCommand("One", (Integer i) -> CompletableFuture.supplyAsync(() -> i))
          .isolation(Isolation.semaphore(1))
          .build();
    }
    Isolation isolation =
        switch (kind) {
          case "pool" -> Isolation.threadPool().coreSize(1);
          case "semaphore" -> Isolation.semaphore(1);
          default -> Isolation.virtualThreads(1);
        };
    return tenrec.command("One", (Integer i) -> i).isolation(isolation).build();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1, 100})
  @Tag("race")
  void poolOfNThreads_neverRefusesTheNthConcurrentCall(int queue) {
    int threads = 4;
    Command<CountDownLatch, Integer> command =
        tenrec
            .command(
                "N",
                (CountDownLatch release) -> {
                  Uninterruptibly.await(release);
                  return 1;
                })
            .isolation(Isolation.threadPool().coreSize(threads).queueSize(queue))
            .withoutTimeout()
            .build();
    int room = threads + Math.max(0, queue);

    for (int round = 0; round < 300; round++) {
      CountDownLatch release = new CountDownLatch(1);
      List<CompletableFuture<Integer>> all = new ArrayList<>();
      IntStream.range(0, room).forEach(i -> all.add(command.executeAsync(release)));
      CompletableFuture<Integer> tooMany = command.executeAsync(release);
      assertThat(tooMany).as("the call beyond %s", room).isCompletedExceptionally();
      release.countDown();
      for (CompletableFuture<Integer> one : all) {
        assertThat(one.join()).as("round %s", round).isEqualTo(1);
      }
    }

    assertThat(command.view().cumulativeCount(EventType.THREAD_POOL_REJECTED)).isEqualTo(300);
    assertThat(command.view().cumulativeCount(EventType.SUCCESS)).isEqualTo(300L * room);
  }
}
