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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Very many calls through one door, one in a hundred of which fails: each is counted, and what is
 * reachable afterwards is what was before. The numbers are {@code -Dtenrec.longRun.callers} for
 * {@code execute} on the caller's thread and {@code -Dtenrec.longRun.others} for all else.
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
    CommandView view = subject(way, entrance, isolation, call);
    List<Long> used = new ArrayList<>();
    for (int i = 0; i <= checkpoints; i++) {
      long count = i == 0 ? Math.min(calls, 1_000) : calls / checkpoints; // at first all is made
      for (long n = 0; n < count; n++) {
        call[0].run();
      }
      open.acquireUninterruptibly(OPEN);
      open.release(OPEN);
      long expected = i == 0 ? count : Math.min(calls, 1_000) + i * (calls / checkpoints);
      assertBooks(view, entrance, expected);
      assertThat(wrong.sum()).as("wrong answers").isZero();
      used.add(usedAfter(collections));
    }
    long grown = used.get(checkpoints) - used.get(0);
    assertThat(grown)
        .as("growth of the heap after %d calls, %s %s, in bytes, of %s", calls, way, entrance, used)
        .isLessThan(FLAT_BYTES);
  }

  private static void assertBooks(CommandView view, Entrance entrance, long expected) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .atMost(PatientWaits.patience())
        .untilAsserted(
            () -> {
              assertThat(view.concurrency()).as("permits").isZero();
              assertThat(view.stillBusy()).as("busy after the answer").isZero();
              Account account = Account.of(view);
              if (entrance != Entrance.MEMBER) {
                assertThat(account.answers()).as("answers of %s", account).isEqualTo(expected);
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
    if (i % 100 == 0) {
      throw FAILURE;
    }
    return i;
  }

  private int next;

  private Integer next() {
    next = (next + 1) % 1_000;
    return next;
  }

  private <B extends CommandOptions<B>> B options(B builder, Isolation isolation) {
    return builder.isolation(isolation).timeout(Duration.ofMinutes(1)).withoutCircuitBreaker();
  }

  private CommandView subject(Way way, Entrance entrance, Isolation isolation, Runnable[] call) {
    String key = way + " " + entrance;
    if (entrance == Entrance.STREAM) {
      StreamCommand<Integer, Integer> stream =
          options(tenrec.streamCommand(key, (Integer i) -> Flowable.just(work(i))), isolation)
              .build();
      call[0] =
          () -> {
            open.acquireUninterruptibly();
            var unused =
                stream
                    .toFlowable(next())
                    .subscribe(item -> {}, error -> open.release(), open::release);
          };
      return stream.view();
    }
    if (entrance == Entrance.GUARD) {
      Guard guard = options(tenrec.guard(key), isolation).build();
      call[0] =
          () -> {
            Integer i = next();
            if (guard.attempt(() -> work(i)).isSuccess() == (i % 100 == 0)) {
              throw new AssertionError("wrong answer for " + i);
            }
          };
      return guard.view();
    }
    if (entrance == Entrance.MEMBER) {
      Collapser<Integer, Integer> collapser = collapser(key, way, isolation);
      call[0] =
          () -> {
            open.acquireUninterruptibly();
            var unused = collapser.executeAsync(next()).whenComplete((v, error) -> open.release());
          };
      return collapser.batchView();
    }
    CommandBuilder<Integer, Integer> builder =
        way == Way.STAGE
            ? tenrec.asyncCommand(key, (Integer i) -> CompletableFuture.completedFuture(work(i)))
            : tenrec.command(key, (Integer i) -> work(i));
    Command<Integer, Integer> command = options(builder, isolation).build();
    call[0] = door(entrance, command);
    return command.view();
  }

  private Runnable door(Entrance entrance, Command<Integer, Integer> command) {
    switch (entrance) {
      case EXECUTE:
        return () -> {
          try {
            Integer unused = command.execute(next());
          } catch (IllegalStateException e) {
            assertThat(e).isSameAs(FAILURE);
          }
        };
      case ATTEMPT:
        return () -> {
          Integer i = next();
          if (command.attempt(i).isSuccess() == (i % 100 == 0)) {
            throw new AssertionError("wrong answer for " + i);
          }
        };
      case EXECUTE_ASYNC:
        return () -> {
          open.acquireUninterruptibly();
          var unused = command.executeAsync(next()).whenComplete((v, error) -> open.release());
        };
      case ATTEMPT_ASYNC:
        return () -> {
          open.acquireUninterruptibly();
          Integer i = next();
          var unused = command.attemptAsync(i).thenAccept(outcome -> ends(outcome, i));
        };
      case ATTEMPT_SINGLE:
        return () -> {
          open.acquireUninterruptibly();
          Integer i = next();
          var unused = command.attemptSingle(i).subscribe(outcome -> ends(outcome, i));
        };
      case TO_MAYBE:
        return () -> {
          open.acquireUninterruptibly();
          var unused =
              command.toMaybe(next()).subscribe(value -> open.release(), error -> open.release());
        };
      case TO_SINGLE:
        return () -> {
          open.acquireUninterruptibly();
          var unused =
              command.toSingle(next()).subscribe(value -> open.release(), error -> open.release());
        };
      default:
        Receiver<Integer> receiver =
            new Receiver<>() {
              @Override
              public void onValue(Integer value) {
                open.release();
              }

              @Override
              public void onError(Throwable error) {
                open.release();
              }
            };
        return () -> {
          open.acquireUninterruptibly();
          var unused = command.execute(next(), receiver);
        };
    }
  }

  private void ends(Outcome<Integer> outcome, Integer i) {
    if (outcome.isSuccess() == (i % 100 == 0)) {
      wrong.increment();
    }
    open.release();
  }

  private Collapser<Integer, Integer> collapser(String key, Way way, Isolation isolation) {
    CollapserBuilder<Integer, Integer> builder =
        way == Way.STAGE
            ? tenrec.asyncCollapser(
                key, (List<Integer> all) -> CompletableFuture.completedFuture(batch(all)))
            : tenrec.collapser(key, LongRunTest::batch);
    return options(builder, isolation)
        .globalScope()
        .timerDelay(Duration.ofMillis(1))
        .maxRequestsInBatch(OPEN / 2)
        .build();
  }

  private static Map<Integer, Integer> batch(List<Integer> all) {
    if (all.contains(100)) {
      throw FAILURE;
    }
    Map<Integer, Integer> answers = new HashMap<>();
    all.forEach(one -> answers.put(one, one));
    return answers;
  }
}
