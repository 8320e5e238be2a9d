// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.CollapserBuilder;
import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.CommandOptions;
import dev.tenrec.core.Guard;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Account;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CollapserView;
import dev.tenrec.metrics.view.CommandView;
import io.reactivex.rxjava3.core.Flowable;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Very many calls through one door, one in a hundred of which fails: each is counted, and what is
 * reachable afterwards is what was before. Each answer is compared with the right one. The numbers
 * are {@code -Dtenrec.longRun.callers} for {@code execute} on the caller's thread and {@code
 * -Dtenrec.longRun.others} for all else.
 */
@Timeout(value = 2, unit = java.util.concurrent.TimeUnit.HOURS)
class LongRunTest {

  private static final long CALLERS = Long.getLong("tenrec.longRun.callers", 1_000_000_000L);
  private static final long OTHERS = Long.getLong("tenrec.longRun.others", 10_000_000L);

  /** What a heap may differ by from one look to another, for reasons of its own. */
  private static final long FLAT_BYTES = 4 << 20;

  /** Calls that nobody waits for, at most so many at once. */
  private static final int OPEN = 100;

  private static final RuntimeException FAILURE = new IllegalStateException("failure");

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec = leaks.watch(Tenrec.create());
  private final Semaphore open = new Semaphore(OPEN);

  /** Answers that are not the call's. Raised by the threads that answer, read in the end. */
  private final LongAdder wrong = new LongAdder();

  /** Batches whose work has failed. Raised by the threads that run them, read in the end. */
  private final LongAdder failedBatches = new LongAdder();

  /** What is called, and counts its calls. */
  private CommandView view;

  /** Counts the members, if what is called has any. */
  private CollapserView members;

  /** One of the ways in. */
  enum Entrance {
    EXECUTE,
    ATTEMPT,
    EXECUTE_ASYNC,
    ATTEMPT_ASYNC,
    TO_SINGLE,
    ATTEMPT_SINGLE,
    TO_MAYBE,
    GUARD,
    RECEIVER,
    MEMBER,
    STREAM;

    /** Whether it differs from another one in what it answers with only. */
    boolean isVariant() {
      return this == ATTEMPT_ASYNC || this == ATTEMPT_SINGLE || this == TO_MAYBE || this == GUARD;
    }

    boolean isWithoutStages() {
      return this == GUARD || this == STREAM;
    }
  }

  static Stream<Arguments> everywhere() {
    return Way.all().stream()
        .flatMap(
            way ->
                Stream.of(Entrance.values())
                    .filter(entrance -> !entrance.isWithoutStages() || way != Way.STAGE)
                    .map(entrance -> Arguments.of(way, entrance)));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("everywhere")
  @Tag("long")
  void calls_veryMany_areCountedAndLeaveNothing(Way way, Entrance entrance) {
    run(way, entrance, 1, 5, 3);
  }

  @Test
  void calls_many_areCountedAndLeaveNothing() {
    everywhere()
        .forEach(
            one -> {
              Way way = (Way) one.get()[0];
              Entrance entrance = (Entrance) one.get()[1];
              int ways = Way.all().size();
              if (entrance.isVariant() && way.ordinal() % ways != entrance.ordinal() % ways) {
                return; // for the long form
              }
              run(way, entrance, 1_000, 1, 1);
            });
  }

  private void run(Way way, Entrance entrance, int divisor, int checkpoints, int collections) {
    boolean here = way == Way.SEMAPHORE && entrance == Entrance.EXECUTE;
    long calls = (here ? CALLERS : OTHERS) / divisor;
    Isolation isolation =
        way == Way.POOL
            ? Isolation.threadPool().key("Pool").coreSize(2).queueSize(2 * OPEN)
            : way.isolation(2 * OPEN);
    Runnable[] call = new Runnable[1];
    next = 0;
    subject(way, entrance, isolation, call);
    List<Long> used = new ArrayList<>();
    for (int i = 0; i <= checkpoints; i++) {
      long count = i == 0 ? Math.min(calls, 1_000) : calls / checkpoints; // at first all is made
      for (long n = 0; n < count; n++) {
        call[0].run();
      }
      open.acquireUninterruptibly(OPEN);
      open.release(OPEN);
      long expected = i == 0 ? count : Math.min(calls, 1_000) + i * (calls / checkpoints);
      assertBooks(entrance, expected);
      assertThat(wrong.sum()).as("wrong answers").isZero();
      if (i < checkpoints) {
        used.add(usedAfter(collections));
      }
    }
    // calls that have ended stay with the timer until its thread gets a processor for its next look
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(10))
        .atMost(PatientWaits.patience())
        .untilAsserted(
            () -> {
              long last = usedAfter(collections);
              assertThat(last - used.get(0))
                  .as(
                      "growth of the heap after %d calls, %s %s, in bytes, of %s to %d",
                      calls, way, entrance, used, last)
                  .isLessThan(FLAT_BYTES);
            });
  }

  /** By the views of what was called last. */
  private void assertBooks(Entrance entrance, long expected) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .atMost(PatientWaits.patience())
        .untilAsserted(
            () -> {
              assertThat(view.concurrency()).as("permits").isZero();
              assertThat(view.stillBusy()).as("busy after the answer").isZero();
              Account account = Account.of(view);
              if (entrance == Entrance.MEMBER) {
                assertThat(members.cumulativeMembers()).as("members").isEqualTo(expected);
                assertThat(account.answers())
                    .as("answers of %s, as many as batches", account)
                    .isEqualTo(members.cumulativeBatches());
                assertThat(account.of(EventType.FAILURE))
                    .as("failures of %s, of batches with a 100 in them", account)
                    .isEqualTo(failedBatches.sum());
              } else {
                assertThat(account.answers()).as("answers of %s", account).isEqualTo(expected);
                assertThat(account.of(EventType.FAILURE))
                    .as("failures of %s", account)
                    .isEqualTo(expected / 100);
              }
              account.assertBalanced();
            });
  }

  private static long usedAfter(int collections) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < collections; i++) { // later ones find what the first ones let go of
      System.gc();
      long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      least = Math.min(least, used);
    }
    return least;
  }

  private static Integer work(Integer i) {
    if (fails(i)) {
      throw FAILURE;
    }
    return i;
  }

  private static boolean fails(Integer i) {
    return i % 100 == 0;
  }

  /** What a call answered with. Takes no memory: this is for each of 10^9 calls. */
  private void check(Integer i, @Nullable Integer value, @Nullable Throwable error) {
    boolean right = fails(i) ? error == FAILURE : error == null && i.equals(value);
    if (!right) {
      wrong.increment();
    }
  }

  private int next;

  private Integer next() {
    next = (next + 1) % 1_000;
    return next;
  }

  private <B extends CommandOptions<B>> B options(B builder, Isolation isolation) {
    return builder.isolation(isolation).timeout(Duration.ofMinutes(1)).withoutCircuitBreaker();
  }

  private void subject(Way way, Entrance entrance, Isolation isolation, Runnable[] call) {
    String key = way + " " + entrance;
    if (entrance == Entrance.STREAM) {
      StreamCommand<Integer, Integer> stream =
          options(tenrec.streamCommand(key, (Integer i) -> Flowable.just(work(i))), isolation)
              .build();
      call[0] =
          () -> {
            open.acquireUninterruptibly();
            Integer i = next();
            Integer[] seen = new Integer[1];
            var unused =
                stream
                    .toFlowable(i)
                    .subscribe(
                        item -> seen[0] = item,
                        error -> ends(i, seen[0], error),
                        () -> ends(i, seen[0], null));
          };
      view = stream.view();
      return;
    }
    if (entrance == Entrance.GUARD) {
      Guard guard = options(tenrec.guard(key), isolation).build();
      call[0] =
          () -> {
            Integer i = next();
            check(i, guard.attempt(() -> work(i)));
          };
      view = guard.view();
      return;
    }
    if (entrance == Entrance.MEMBER) {
      Collapser<Integer, Integer> collapser = collapser(key, way, isolation);
      call[0] =
          () -> {
            open.acquireUninterruptibly();
            Integer i = next();
            var unused =
                collapser
                    .executeAsync(i)
                    .whenComplete((value, error) -> memberEnds(i, value, error));
          };
      failedBatches.reset();
      members = collapser.view();
      view = collapser.batchView();
      return;
    }
    CommandBuilder<Integer, Integer> builder =
        way == Way.STAGE
            ? tenrec.asyncCommand(key, (Integer i) -> CompletableFuture.completedFuture(work(i)))
            : tenrec.command(key, (Integer i) -> work(i));
    Command<Integer, Integer> command = options(builder, isolation).build();
    call[0] = door(entrance, command);
    view = command.view();
  }

  private Runnable door(Entrance entrance, Command<Integer, Integer> command) {
    switch (entrance) {
      case EXECUTE:
        return () -> {
          Integer i = next();
          Integer value = null;
          RuntimeException thrown = null;
          try {
            value = command.execute(i);
          } catch (IllegalStateException e) {
            thrown = e;
          }
          check(i, value, thrown);
        };
      case ATTEMPT:
        return () -> {
          Integer i = next();
          check(i, command.attempt(i));
        };
      case EXECUTE_ASYNC:
        return () -> {
          open.acquireUninterruptibly();
          Integer i = next();
          var unused =
              command.executeAsync(i).whenComplete((value, error) -> ends(i, value, error));
        };
      case ATTEMPT_ASYNC:
        return () -> {
          open.acquireUninterruptibly();
          Integer i = next();
          var unused = command.attemptAsync(i).thenAccept(outcome -> ends(i, outcome));
        };
      case ATTEMPT_SINGLE:
        return () -> {
          open.acquireUninterruptibly();
          Integer i = next();
          var unused = command.attemptSingle(i).subscribe(outcome -> ends(i, outcome));
        };
      case TO_MAYBE:
        return () -> {
          open.acquireUninterruptibly();
          Integer i = next();
          var unused =
              command
                  .toMaybe(i)
                  .subscribe(value -> ends(i, value, null), error -> ends(i, null, error));
        };
      case TO_SINGLE:
        return () -> {
          open.acquireUninterruptibly();
          Integer i = next();
          var unused =
              command
                  .toSingle(i)
                  .subscribe(value -> ends(i, value, null), error -> ends(i, null, error));
        };
      default:
        return () -> {
          open.acquireUninterruptibly();
          Integer i = next();
          var unused = command.execute(i, receiver(i));
        };
    }
  }

  private Receiver<Integer> receiver(Integer i) {
    return new Receiver<>() {
      @Override
      public void onValue(Integer value) {
        ends(i, value, null);
      }

      @Override
      public void onError(Throwable error) {
        ends(i, null, error);
      }
    };
  }

  private void check(Integer i, Outcome<Integer> outcome) {
    check(i, outcome.value(), outcome.error());
  }

  private void ends(Integer i, Outcome<Integer> outcome) {
    check(i, outcome);
    open.release();
  }

  private void ends(Integer i, @Nullable Integer value, @Nullable Throwable error) {
    check(i, value, error);
    open.release();
  }

  /** A batch with a 100 in it fails as a whole, and so do all its members. */
  private void memberEnds(Integer i, @Nullable Integer value, @Nullable Throwable error) {
    boolean right = error == FAILURE || i != 100 && error == null && i.equals(value);
    if (!right) {
      wrong.increment();
    }
    open.release();
  }

  private Collapser<Integer, Integer> collapser(String key, Way way, Isolation isolation) {
    CollapserBuilder<Integer, Integer> builder =
        way == Way.STAGE
            ? tenrec.asyncCollapser(
                key, (List<Integer> all) -> CompletableFuture.completedFuture(batch(all)))
            : tenrec.collapser(key, this::batch);
    return options(builder, isolation)
        .globalScope()
        .timerDelay(Duration.ofMillis(1))
        .maxRequestsInBatch(OPEN / 2)
        .build();
  }

  private Map<Integer, Integer> batch(List<Integer> all) {
    if (all.contains(100)) {
      failedBatches.increment();
      throw FAILURE;
    }
    Map<Integer, Integer> answers = new HashMap<>();
    all.forEach(one -> answers.put(one, one));
    return answers;
  }
}
