// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.outcome.CommandInterruptedException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What nobody should do, and somebody does: calls end all the same. */
@OwnThread
class RoughUseTest {

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec = leaks.watch(Unhurried.tenrec());

  private static Isolation isolation(String kind) {
    return kind.equals("pool") ? Isolation.threadPool().coreSize(1) : Isolation.semaphore(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pool", "semaphore"})
  void stackOverflow_inWork_isThrownAsItIs_withoutAFallback(String kind) {
    AtomicInteger fallbacks = new AtomicInteger();
    Command<Integer, Integer> deep =
        tenrec
            .command("Deep", (Integer i) -> dig(i))
            .isolation(isolation(kind))
            .fallback((i, cause) -> fallbacks.incrementAndGet())
            .build();

    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> deep.execute(0)).isInstanceOf(StackOverflowError.class);
    }
    assertThat(deep.attempt(0).events())
        .containsExactly(EventType.FAILURE, EventType.EXCEPTION_THROWN);
    assertThat(fallbacks).hasValue(0);
    assertThat(deep.execute(-1)).isEqualTo(-1);
  }

  private static int dig(int depth) {
    return depth < 0 ? depth : dig(depth + 1) + 1;
  }

  @ParameterizedTest
  @ValueSource(strings = {"pool", "semaphore"})
  @SuppressWarnings("removal") // still thrown by Thread.stop on 17
  void threadDeath_inWork_isThrownAsItIs_andItsThreadGoesOn(String kind) {
    Command<Integer, Integer> dying =
        tenrec
            .command(
                "Dying",
                (Integer i) -> {
                  if (i < 0) {
                    throw new ThreadDeath();
                  }
                  return i;
                })
            .isolation(isolation(kind))
            .fallback((i, cause) -> 0)
            .build();

    assertThatThrownBy(() -> dying.execute(-1)).isInstanceOf(ThreadDeath.class);
    assertThat(dying.execute(7)).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 10})
  void nestedInAPoolOfOne_isRejectedOrTimesOut_butNeverHangs(int queue) {
    Isolation one = Isolation.threadPool().key("One").coreSize(1).queueSize(queue);
    Command<Integer, Integer> inner =
        tenrec
            .command("Inner", (Integer i) -> i)
            .isolation(one)
            .timeout(Duration.ofMillis(5)) // of slow ones
            .build();
    Command<Integer, Integer> outer =
        tenrec
            .command("Outer", (Integer i) -> inner.execute(i))
            .isolation(one)
            .timeout(Duration.ofSeconds(10))
            .build();

    Class<? extends Throwable> expected =
        queue < 0 ? CommandRejectedException.class : CommandTimeoutException.class;
    assertThatThrownBy(() -> outer.execute(1)).isInstanceOf(expected);
    assertThatThrownBy(() -> outer.executeAsync(1).get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .hasCauseInstanceOf(expected);
    tenrec.set("tenrec.command.Inner.execution.isolation.thread.timeoutInMilliseconds", "10000");
    assertThat(inner.execute(1)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pool", "semaphore"})
  void executeInAFallback_answers(String kind) {
    Command<Integer, Integer> second =
        tenrec.command("Second", (Integer i) -> i + 1).isolation(isolation(kind)).build();
    Command<Integer, Integer> first =
        tenrec
            .<Integer, Integer>command(
                "First",
                (Integer i) -> {
                  throw new IllegalStateException("down");
                })
            .isolation(isolation(kind))
            .fallback((i, cause) -> second.execute(i))
            .build();

    assertThat(first.execute(1)).isEqualTo(2);
    assertThat(first.executeAsync(1).join()).isEqualTo(2);
    assertThat(first.toSingle(1).blockingGet()).isEqualTo(2);
    assertThat(first.attempt(1).value()).isEqualTo(2);
  }

  @Test
  void commandThatClosesItsOwnTenrec_ends() throws Exception {
    Command<Integer, Integer> suicidal =
        tenrec
            .command(
                "Suicidal",
                (Integer i) -> {
                  tenrec.close(Duration.ofMillis(10));
                  return i;
                })
            .withoutTimeout()
            .build();

    Outcome<Integer> outcome =
        CompletableFuture.supplyAsync(() -> suicidal.attempt(1))
            .get(PatientWaits.seconds(), TimeUnit.SECONDS);

    assertThat(outcome.has(EventType.CANCELLED) || outcome.isSuccess()).isTrue();
  }

  @Test
  @Tag("race")
  void fiveHundredThreads_interruptedBeforeTheCall_keepTheirFlags() throws Exception {
    Command<Integer, Integer> slow =
        tenrec
            .command("Slow", (Integer i) -> Uninterruptibly.sleepOrInterrupt())
            .isolation(Isolation.threadPool().coreSize(10))
            .withoutCircuitBreaker()
            .build();
    AtomicInteger interrupted = new AtomicInteger();
    AtomicInteger rejected = new AtomicInteger();
    AtomicInteger flags = new AtomicInteger();
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      Thread caller =
          new Thread(
              () -> {
                Thread.currentThread().interrupt();
                try {
                  slow.execute(1);
                } catch (CommandInterruptedException e) {
                  interrupted.incrementAndGet();
                } catch (CommandRejectedException e) {
                  rejected.incrementAndGet();
                }
                if (Thread.currentThread().isInterrupted()) {
                  flags.incrementAndGet();
                }
              });
      callers.add(caller);
      caller.start();
    }
    for (Thread caller : callers) {
      caller.join();
    }

    assertThat(flags).hasValue(500);
    assertThat(interrupted.get() + rejected.get()).isEqualTo(500);
    assertThat(slow.view().cumulativeCount(EventType.CANCELLED)).isEqualTo(interrupted.get());
    assertThat(slow.view().cumulativeCount(EventType.TIMEOUT)).isZero();
  }

  @Test
  @Tag("race")
  void close_underLoad_letsNoCallerHang() throws Exception {
    for (int round = 0; round < 5; round++) {
      Tenrec closing = Unhurried.tenrec();
      List<Command<Integer, Integer>> commands = commandsOf(closing);
      AtomicBoolean over = new AtomicBoolean();
      CountDownLatch busy = new CountDownLatch(100);
      List<Thread> callers = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        Command<Integer, Integer> command = commands.get(i % commands.size());
        int door = i % 3;
        Thread caller = new Thread(() -> callUntil(over, command, door, busy));
        callers.add(caller);
        caller.start();
      }
      Uninterruptibly.await(busy);

      assertThat(closing.close(Duration.ofMillis(1))).isEmpty();

      over.set(true);
      for (Thread caller : callers) {
        caller.join(PatientWaits.patience().toMillis());
        assertThat(caller.isAlive()).as("%s hangs after close, round %s", caller, round).isFalse();
      }
      LeakGuard.assertQuiet(closing);
      await().until(() -> closing.liveThreads() == 0); // calls went on after it had closed
    }
  }

  private static List<Command<Integer, Integer>> commandsOf(Tenrec closing) {
    return List.of(
        closing
            .command("Hanging", (Integer i) -> Uninterruptibly.sleepOrInterrupt())
            .isolation(Isolation.threadPool().queueSize(20))
            .withoutTimeout()
            .build(),
        closing.command("Quick", (Integer i) -> i).build(),
        closing.command("Here", (Integer i) -> i).isolation(Isolation.semaphore(10)).build(),
        closing
            .asyncCommand("Stage", (Integer i) -> new CompletableFuture<Integer>())
            .withoutTimeout()
            .build());
  }

  private static void callUntil(
      AtomicBoolean over, Command<Integer, Integer> command, int door, CountDownLatch busy) {
    while (!over.get()) {
      busy.countDown();
      LockSupport.parkNanos(1_000_000); // a closed command answers at once, for ever
      if (door == 0) {
        Outcome<Integer> unused = command.attempt(1);
      } else if (door == 1) {
        CompletableFuture<Integer> unused = command.executeAsync(1).handle((value, error) -> 1);
        unused.join();
      } else {
        boolean unused =
            command
                .toSingle(1)
                .test()
                .awaitDone(PatientWaits.seconds(), TimeUnit.SECONDS)
                .isDisposed();
      }
    }
  }
}
