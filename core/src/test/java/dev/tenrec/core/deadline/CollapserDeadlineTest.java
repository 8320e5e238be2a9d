// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.deadline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Deadline;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.CommandTimeoutException.Limit;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A batch has the latest deadline of its members, and each member ends by its own. */
class CollapserDeadlineTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final List<Optional<Duration>> seen = new CopyOnWriteArrayList<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);

  @AfterEach
  void close() {
    release.countDown();
    assertThat(tenrec.close(Duration.ZERO)).isEmpty();
    assertThat(tenrec.liveThreads()).isZero();
  }

  private Collapser<Integer, Integer> collapser(boolean held) {
    return tenrec
        .collapser(
            "Double",
            (List<Integer> ids) -> {
              seen.add(Deadline.current(tenrec).map(Deadline::remaining));
              begun.countDown();
              if (held) {
                release.await();
              }
              return ids.stream().collect(Collectors.toMap(id -> id, id -> id * 2));
            })
        .globalScope()
        .timeout(Duration.ofSeconds(1))
        .withDeadline()
        .build();
  }

  private CompletableFuture<Integer> callWithin(
      Collapser<Integer, Integer> collapser, int id, long leftMillis) {
    try (Scope scope = Deadline.after(tenrec, Duration.ofMillis(leftMillis)).open()) {
      return collapser.executeAsync(id);
    }
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(PatientWaits.seconds(), TimeUnit.SECONDS);
  }

  private static Throwable error(CompletableFuture<?> future) throws Exception {
    return get(future.handle((value, thrown) -> thrown));
  }

  @Test
  void batch_ofMembersWithDeadlines_hasTheLatest() throws Exception {
    Collapser<Integer, Integer> collapser = collapser(false);
    CompletableFuture<Integer> first = callWithin(collapser, 1, 200);
    CompletableFuture<Integer> second = callWithin(collapser, 2, 500);
    CompletableFuture<Integer> third = callWithin(collapser, 3, 300);
    time.advanceMillis(10);

    assertThat(get(first)).isEqualTo(2);
    assertThat(get(second)).isEqualTo(4);
    assertThat(get(third)).isEqualTo(6);
    assertThat(seen).containsExactly(Optional.of(Duration.ofMillis(490)));
  }

  @Test
  void batch_withAMemberWithoutDeadline_hasItsOwn() throws Exception {
    Collapser<Integer, Integer> collapser = collapser(false);
    CompletableFuture<Integer> first = callWithin(collapser, 1, 200);
    CompletableFuture<Integer> second = collapser.executeAsync(2);
    time.advanceMillis(10);

    assertThat(get(first)).isEqualTo(2);
    assertThat(get(second)).isEqualTo(4);
    assertThat(seen).containsExactly(Optional.of(Duration.ofSeconds(1)));
  }

  @Test
  void member_atItsOwnDeadline_endsByItAndTheBatchGoesOn() throws Exception {
    Collapser<Integer, Integer> collapser = collapser(true);
    CompletableFuture<Integer> hasty = callWithin(collapser, 1, 100);
    CompletableFuture<Integer> patient = callWithin(collapser, 2, 900);
    time.advanceMillis(10);
    assertThat(begun.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    time.advanceMillis(100);

    assertThat(error(hasty))
        .isInstanceOfSatisfying(
            CommandTimeoutException.class,
            late -> assertThat(late.limit()).isEqualTo(Limit.DEADLINE));
    assertThat(patient).isNotDone();
    release.countDown();
    assertThat(get(patient)).isEqualTo(4);
    assertThat(collapser.batchView().cumulativeCount(EventType.SUCCESS)).isOne();
  }

  @Test
  void member_thatWaits_endsByItsOwnDeadline() throws Exception {
    Collapser<Integer, Integer> collapser = collapser(true);
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread caller =
        new Thread(
            () -> {
              try (Scope scope = Deadline.after(tenrec, Duration.ofMillis(100)).open()) {
                collapser.execute(1);
                thrown.complete(new AssertionError("answered"));
              } catch (Throwable late) {
                thrown.complete(late);
              }
            });
    caller.setDaemon(true);
    caller.start();
    Scenario.await().until(() -> time.waiting().contains(caller));
    time.advanceMillis(10);
    assertThat(begun.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    time.advanceMillis(100);

    assertThat(get(thrown)).isInstanceOf(CommandTimeoutException.class);
  }

  @Test
  void member_beforeTheWindowEnds_leavesTheBatchAtItsDeadline() throws Exception {
    Collapser<Integer, Integer> collapser = collapser(false);
    CompletableFuture<Integer> hasty = callWithin(collapser, 1, 5);
    CompletableFuture<Integer> patient = callWithin(collapser, 2, 500);
    time.advanceMillis(5);

    assertThat(error(hasty)).isInstanceOf(CommandTimeoutException.class);
    time.advanceMillis(10);
    assertThat(get(patient)).isEqualTo(4);
    assertThat(collapser.view().rollingMembers()).isOne();
  }

  @Test
  void member_afterItsDeadline_joinsNoBatch() throws Exception {
    Collapser<Integer, Integer> collapser = collapser(false);

    assertThat(error(callWithin(collapser, 1, 0))).isInstanceOf(CommandTimeoutException.class);
    time.advanceMillis(10);
    assertThat(seen).isEmpty();
  }

  @Test
  void member_atItsOwnDeadline_saysHowLongItHad() throws Exception {
    Collapser<Integer, Integer> collapser = collapser(true);
    CompletableFuture<Integer> hasty = callWithin(collapser, 1, 100);
    CompletableFuture<Integer> patient = callWithin(collapser, 2, 900); // so the batch goes on
    time.advanceMillis(10);
    assertThat(begun.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    time.advanceMillis(100);

    assertThat(error(hasty))
        .hasMessage(
            "Double came to the deadline of the call it was made in: that had left it 100 ms,"
                + " 110 ms had passed and its work had not ended");
    release.countDown();
    assertThat(get(patient)).isEqualTo(4);
  }

  private static void assertLate(Throwable error, boolean workBegan) {
    assertThat(error)
        .isInstanceOfSatisfying(
            CommandTimeoutException.class,
            late -> assertThat(late.workBegan()).isEqualTo(workBegan));
  }

  @Test
  void member_whoseBatchIsAtWork_saysThatItBegan() throws Exception {
    Collapser<Integer, Integer> collapser = collapser(true);
    CompletableFuture<Integer> hasty = callWithin(collapser, 1, 100);
    CompletableFuture<Integer> patient = callWithin(collapser, 2, 900); // so the batch goes on
    time.advanceMillis(10);
    assertThat(begun.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    time.advanceMillis(100);

    assertLate(error(hasty), true);
    release.countDown();
    assertThat(get(patient)).isEqualTo(4);
  }

  @Test
  void member_beforeTheWindowEnds_saysThatNoWorkBegan() throws Exception {
    Collapser<Integer, Integer> collapser = collapser(false);
    CompletableFuture<Integer> hasty = callWithin(collapser, 1, 5);
    time.advanceMillis(5);

    assertLate(error(hasty), false);
    time.advanceMillis(10);
    assertThat(seen).isEmpty();
  }

  @Test
  void member_afterItsDeadline_saysThatNoWorkBegan() throws Exception {
    assertLate(error(callWithin(collapser(false), 1, 0)), false);
  }

  /** The batch has started, and waits for a thread. */
  @Test
  void member_whoseBatchIsQueued_saysThatNoWorkBegan() throws Exception {
    Isolation.ThreadPool pool =
        Isolation.threadPool().key("One").coreSize(1).queueSize(10).rejectionThreshold(10);
    CompletableFuture<Integer> occupant =
        tenrec
            .command(
                "Occupant",
                (Integer i) -> {
                  begun.countDown();
                  release.await();
                  return i;
                })
            .isolation(pool)
            .withoutTimeout()
            .build()
            .executeAsync(1);
    assertThat(begun.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapser("Queued", (List<Integer> ids) -> Map.of(1, 1, 2, 2))
            .globalScope()
            .isolation(pool)
            .timeout(Duration.ofSeconds(1))
            .withDeadline()
            .build();
    CompletableFuture<Integer> hasty = callWithin(collapser, 1, 100);
    CompletableFuture<Integer> patient = callWithin(collapser, 2, 900);
    time.advanceMillis(10);
    Scenario.await().until(() -> collapser.batchView().concurrency() == 1);
    time.advanceMillis(100);

    assertLate(error(hasty), false);
    release.countDown();
    assertThat(get(occupant)).isEqualTo(1);
    assertThat(get(patient)).isEqualTo(2);
  }

  /** It waits for the member of another call. */
  @Test
  void member_thatSharesOneOfABatchAtWork_saysThatItBegan() throws Exception {
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapser(
                "Shared",
                (List<Integer> ids) -> {
                  begun.countDown();
                  release.await();
                  return Map.of(1, 2);
                })
            .cacheKey(id -> id)
            .timeout(Duration.ofSeconds(1))
            .withDeadline()
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<Integer> patient = callWithin(collapser, 1, 900);
      CompletableFuture<Integer> hasty = callWithin(collapser, 1, 100);
      time.advanceMillis(10);
      assertThat(begun.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
      time.advanceMillis(100);

      assertLate(error(hasty), true);
      release.countDown();
      assertThat(get(patient)).isEqualTo(2);
    }
  }

  @Test
  void member_afterItsDeadline_saysHowLongAgoThatWas() throws Exception {
    Collapser<Integer, Integer> collapser = collapser(false);
    CompletableFuture<Integer> late;
    try (Scope scope = Deadline.after(tenrec, Duration.ofMillis(5)).open()) {
      time.advanceMillis(12);
      late = collapser.executeAsync(1);
    }

    assertThat(error(late))
        .hasMessage(
            "Double was not begun: the deadline of the call it was made in had passed 7 ms before");
  }

  /** Not even to be compared with others, which may take longer. */
  @Test
  void member_atItsDeadline_isNotAskedForItsHash() throws Exception {
    record Argument(int id) {
      @Override
      public int hashCode() {
        throw new IllegalStateException("of the test");
      }
    }
    Collapser<Argument, Integer> collapser =
        tenrec
            .collapser("Hash", (List<Argument> arguments) -> Map.<Argument, Integer>of())
            .globalScope()
            .withDeadline()
            .build();

    CompletableFuture<Integer> late;
    try (Scope scope = Deadline.after(tenrec, Duration.ZERO).open()) {
      late = collapser.executeAsync(new Argument(1));
    }

    assertThat(error(late)).isInstanceOf(CommandTimeoutException.class);
  }
}
