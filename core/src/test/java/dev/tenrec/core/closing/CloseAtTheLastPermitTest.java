// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.closing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.work.Call;
import dev.tenrec.core.work.Work;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.time.Waiter;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Closing waits for the permits of calls, and is woken by the last one that comes back. It gets the
 * processor at once here, before the thread that gave the permit back goes on.
 */
class CloseAtTheLastPermitTest {

  private final ManualTime time = new ManualTime();
  private final AtomicReference<@Nullable Thread> closing = new AtomicReference<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);

  private final Waiter waiter =
      new Waiter() {
        @Override
        public void awaitUntil(long deadlineNanos) {
          time.awaitUntil(deadlineNanos);
        }

        @Override
        public void wake(Thread thread) {
          time.wake(thread);
          if (Thread.currentThread().getName().startsWith("tenrec-Subject")
              && closing.compareAndSet(thread, null)) { // once: its end may wake it, too
            letGoOn(thread);
          }
        }
      };

  /** Until it has ended what it found, and waits for the threads of the pool. */
  private static void letGoOn(Thread closing) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PatientWaits.seconds());
    while (!awaitsThePool(closing) && System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }

  private static boolean awaitsThePool(Thread closing) {
    return Arrays.stream(closing.getStackTrace())
        .anyMatch(
            frame ->
                frame.getClassName().endsWith(".WorkerPool")
                    && frame.getMethodName().equals("awaitQuiet"));
  }

  private String held() {
    begun.countDown();
    Uninterruptibly.await(release);
    return "answer";
  }

  private void assertAnswered(
      Work<String, String> work, UnaryOperator<CommandBuilder<String, String>> with)
      throws Exception {
    assertAnswered(Tenrec.builder().time(time, waiter).build(), work, with);
  }

  private void assertAnswered(
      Tenrec tenrec, Work<String, String> work, UnaryOperator<CommandBuilder<String, String>> with)
      throws Exception {
    Command<String, String> command =
        with.apply(
                tenrec
                    .command("Subject", work)
                    .isolation(Isolation.threadPool().coreSize(1))
                    .timeout(Duration.ofHours(1)))
            .build();
    CompletableFuture<String> call = command.executeAsync("x");
    Uninterruptibly.await(begun);
    CompletableFuture<List<StillRunning>> closed =
        Elsewhere.call(
            () -> {
              closing.set(Thread.currentThread());
              return tenrec.close(Duration.ofMinutes(5));
            });
    Scenario.await()
        .until(
            () -> {
              Thread waits = closing.get();
              return waits != null && time.waiting().contains(waits);
            });

    release.countDown();

    assertThat(call.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("answer");
    Scenario.await()
        .until(
            () -> {
              time.advanceMillis(1);
              return closed.isDone();
            });
    assertThat(closed.get()).isEmpty();
  }

  @Test
  void fallback_thatHasEnded_isTheAnswer() throws Exception {
    assertAnswered(
        argument -> {
          throw new IOException("of the test");
        },
        command -> command.fallback((argument, cause) -> held()));
  }

  @Test
  void secondAttempt_thatHasEnded_isTheAnswer() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    assertAnswered(
        argument -> {
          if (attempts.incrementAndGet() == 1) {
            throw new IOException("once");
          }
          return held();
        },
        command ->
            command.retry(
                Retry.attempts(2).backoff(Duration.ZERO, Duration.ZERO).howeverLittleTimeIsLeft()));
  }

  @Test
  void hedgedAttempt_thatHasEnded_isTheAnswer() throws Exception {
    assertAnswered(argument -> held(), command -> command.hedge(Hedge.after(Duration.ofDays(1))));
  }

  /** Of which kind the attempts are. */
  enum Kind {
    HEDGED {
      @Override
      CommandBuilder<String, String> of(CommandBuilder<String, String> builder) {
        return builder.hedge(Hedge.after(Duration.ofDays(1)));
      }
    },
    RETRIED {
      @Override
      CommandBuilder<String, String> of(CommandBuilder<String, String> builder) {
        return builder.retry(Retry.attempts(2).attemptTimeout(Duration.ofMinutes(30)));
      }
    };

    abstract CommandBuilder<String, String> of(CommandBuilder<String, String> builder);
  }

  /**
   * Closing gets the processor when the ending of the attempt is claimed, which wakes it once more;
   * that of the call is claimed after it.
   */
  @ParameterizedTest
  @EnumSource
  void attempt_thatHasSucceeded_isTheAnswer(Kind kind) throws Exception {
    CountDownLatch claimed = new CountDownLatch(1);
    AtomicInteger wakes = new AtomicInteger();
    Waiter preempting =
        new Waiter() {
          @Override
          public void awaitUntil(long deadlineNanos) {
            time.awaitUntil(deadlineNanos);
            if (Thread.currentThread() == closing.get()) {
              Uninterruptibly.await(claimed); // it was woken by the permit
            }
          }

          @Override
          public void wake(Thread thread) {
            time.wake(thread);
            if (thread == closing.get() && wakes.incrementAndGet() == 2) {
              closing.set(null);
              claimed.countDown();
              letGoOn(thread);
            }
          }
        };

    assertAnswered(Tenrec.builder().time(time, preempting).build(), argument -> held(), kind::of);

    assertThat(wakes).hasValueGreaterThanOrEqualTo(2);
  }

  /** On a thread that closing does not wait for: its caller's, or the one that ends its stage. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void callThatIsDecidedAfterIt_letsClosingGoOn(boolean staged) throws Exception {
    AtomicBoolean held = new AtomicBoolean();
    Waiter preempting =
        new Waiter() {
          @Override
          public void awaitUntil(long deadlineNanos) {
            time.awaitUntil(deadlineNanos);
          }

          @Override
          public void wake(Thread thread) {
            time.wake(thread);
            if (thread == closing.get() && held.compareAndSet(false, true)) {
              Scenario.await().until(() -> awaitsDecisions(thread));
            }
          }
        };
    Tenrec tenrec = Tenrec.builder().time(time, preempting).build();
    CompletableFuture<String> call = staged ? stageCall(tenrec) : callOnItsCaller(tenrec);
    Uninterruptibly.await(begun);
    CompletableFuture<List<StillRunning>> closed =
        Elsewhere.call(
            () -> {
              closing.set(Thread.currentThread());
              return tenrec.close(Duration.ofMinutes(5));
            });
    Scenario.await()
        .until(
            () -> {
              Thread waits = closing.get();
              return waits != null && time.waiting().contains(waits);
            });

    release.countDown();

    assertThat(call.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("answer");
    // no time passes here
    assertThat(closed.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEmpty();
    assertThat(held).isTrue();
  }

  private boolean awaitsDecisions(Thread closer) {
    return time.waiting().contains(closer)
        && Arrays.stream(closer.getStackTrace())
            .anyMatch(frame -> frame.getMethodName().equals("awaitDecisions"));
  }

  /** Its caller sees its call, so closing knows of it. */
  private CompletableFuture<String> callOnItsCaller(Tenrec tenrec) {
    Command<String, String> command =
        tenrec
            .command("Subject", (String argument, Call call) -> held())
            .isolation(Isolation.semaphore(1))
            .timeout(Duration.ofHours(1))
            .build();
    return Elsewhere.call(() -> command.execute("x"));
  }

  private CompletableFuture<String> stageCall(Tenrec tenrec) {
    CompletableFuture<String> stage = new CompletableFuture<>();
    Command<String, String> command =
        tenrec
            .asyncCommand("Subject", (String argument) -> stage)
            .timeout(Duration.ofHours(1))
            .build();
    CompletableFuture<String> call = command.executeAsync("x");
    Thread unused = Elsewhere.start(() -> stage.complete(held()));
    return call;
  }
}
