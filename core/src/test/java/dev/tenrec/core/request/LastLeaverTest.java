// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.request;

import static dev.tenrec.metrics.event.EventType.ATTEMPT_OUTRUN;
import static dev.tenrec.metrics.event.EventType.CANCELLED;
import static dev.tenrec.metrics.event.EventType.DEADLINE_EXCEEDED;
import static dev.tenrec.metrics.event.EventType.EXCEPTION_THROWN;
import static dev.tenrec.metrics.event.EventType.FAILURE;
import static dev.tenrec.metrics.event.EventType.FALLBACK_MISSING;
import static dev.tenrec.metrics.event.EventType.FALLBACK_SUCCESS;
import static dev.tenrec.metrics.event.EventType.HEDGE;
import static dev.tenrec.metrics.event.EventType.SUCCESS;
import static dev.tenrec.metrics.event.EventType.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Deadline;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.context.ContextPropagator;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.internal.sampling.HeldTasks;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.core.outcome.CommandInterruptedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.retry.Jitter;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.work.Call;
import dev.tenrec.core.work.Fallback;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.observers.TestObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls that share a run and end without it, whatever ends them: when the last one has, the run is
 * cancelled and forgotten, wherever it is (rows 193 and 195).
 */
class LastLeaverTest {

  private static final Duration LIMIT = Duration.ofMillis(50);

  /** What ends the hit, long before the run's own time-out. */
  private enum Limit {
    DEADLINE(DEADLINE_EXCEEDED),
    TIMEOUT_LOWERED(TIMEOUT);

    private final EventType event;

    Limit(EventType event) {
      this.event = event;
    }
  }

  /** How the hit is called. */
  private enum Door {
    ASYNC,
    RX,
    WAITING
  }

  private enum Order {
    FIRST_LEAVES_FIRST,
    HIT_LEAVES_FIRST
  }

  private final ManualTime time = new ManualTime();

  /** Written by the test, read on the threads of its callers. */
  private final AtomicBoolean contextFails = new AtomicBoolean();

  private final Tenrec tenrec = Tenrec.builder().time(time, time).propagate(this::captured).build();
  private final AtomicInteger runs = new AtomicInteger();
  private final CountDownLatch cancelled = new CountDownLatch(1);
  private final List<String> cancellers = new CopyOnWriteArrayList<>();
  private final CountDownLatch release = new CountDownLatch(1);
  private final CountDownLatch interrupted = new CountDownLatch(1);

  /** Of the two attempts of one run. */
  private final CountDownLatch both = new CountDownLatch(2);

  private ContextPropagator.@Nullable Captured captured() {
    if (contextFails.get()) {
      throw new IllegalStateException("of the test");
    }
    return null;
  }

  @AfterEach
  void close() {
    release.countDown();
    cancelled.countDown();
    both.countDown();
    both.countDown();
    Elsewhere.close(tenrec, time);
    // where time goes on while another thread closes, that does not wait for all of them
    await().until(() -> tenrec.liveThreads() == 0);
  }

  /** Its work goes on until its cancellers run. */
  private CommandBuilder<String, String> cancellable() {
    return cancellable(tenrec);
  }

  private CommandBuilder<String, String> cancellable(Tenrec of) {
    return of.command(
            "Get",
            (String s, Call call) -> {
              int run = runs.incrementAndGet();
              call.onCancel(
                  () -> {
                    cancellers.add(Thread.currentThread().getName());
                    cancelled.countDown();
                  });
              if (run == 1) {
                Uninterruptibly.await(cancelled);
              }
              return s + " " + run;
            })
        .isolation(Isolation.threadPool())
        .timeout(Duration.ofSeconds(10))
        .withDeadline()
        .cacheKey(s -> s);
  }

  private static void assertCounts(Command<?, ?> command, EventType... events) {
    for (EventType type : EventType.values()) {
      long expected = Stream.of(events).filter(event -> event == type).count();
      assertThat(command.view().cumulativeCount(type)).as("%s", type).isEqualTo(expected);
    }
  }

  /** What it ends with. */
  private CompletableFuture<Throwable> hit(
      RequestContext request, Command<String, String> command, Limit limit, Door door) {
    if (limit == Limit.TIMEOUT_LOWERED) {
      tenrec.set(
          "tenrec.command.Get.execution.isolation.thread.timeoutInMilliseconds",
          "" + LIMIT.toMillis());
    }
    CompletableFuture<Throwable> ending =
        switch (door) {
          case ASYNC -> within(limit, () -> errorOf(command.executeAsync("a")));
          case RX ->
              within(
                  limit,
                  () -> errorOf(command.toSingle("a").toCompletionStage().toCompletableFuture()));
          case WAITING -> {
            CompletableFuture<Throwable> error = new CompletableFuture<>();
            Thread caller =
                new Thread(
                    request.wrap(
                        () -> {
                          Throwable ended = within(limit, () -> command.attempt("a").error());
                          error.complete(ended);
                        }));
            caller.start();
            await().until(() -> time.waiting().contains(caller));
            yield error;
          }
        };
    tenrec.clear("tenrec.command.Get.execution.isolation.thread.timeoutInMilliseconds");
    return ending;
  }

  private <T> T within(Limit limit, Supplier<T> call) {
    if (limit == Limit.TIMEOUT_LOWERED) {
      return call.get();
    }
    try (ContextPropagator.Scope scope = Deadline.after(tenrec, LIMIT).open()) {
      return call.get();
    }
  }

  private static CompletableFuture<Throwable> errorOf(CompletableFuture<?> future) {
    return future.handle((value, error) -> error);
  }

  static Stream<Arguments> everyHit() {
    return Stream.of(Limit.values())
        .flatMap(
            limit ->
                Stream.of(Door.values())
                    .flatMap(
                        door ->
                            Stream.of(Order.values())
                                .map(order -> Arguments.of(limit, door, order))));
  }

  @ParameterizedTest
  @MethodSource("everyHit")
  void limit_ofAHit_countsAsLeaving(Limit limit, Door door, Order order) {
    Command<String, String> command = cancellable().build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = command.executeAsync("a");
      await().until(() -> runs.get() == 1);
      CompletableFuture<Throwable> hit = hit(request, command, limit, door);
      if (order == Order.FIRST_LEAVES_FIRST) {
        assertThat(first.cancel(true)).isTrue();
      }

      time.advance(LIMIT);
      await().until(hit::isDone);
      if (order == Order.HIT_LEAVES_FIRST) {
        assertThat(cancelled.getCount()).as("the first call waits for it").isOne();
        assertThat(first.cancel(true)).isTrue();
      }

      await().until(() -> cancelled.getCount() == 0);
      await().until(() -> command.view().concurrency() == 0);
      assertThat(hit.join()).isInstanceOf(CommandTimeoutException.class);
      assertThat(cancellers).hasSize(1).noneMatch(name -> name.contains("timer"));
      assertCounts(command, limit.event, FALLBACK_MISSING, EXCEPTION_THROWN, CANCELLED);
      assertThat(command.view().health().errors()).isZero();
      assertThat(command.execute("a")).isEqualTo("a 2");
    }
  }

  /** How the last one leaves is how the work ends. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void timeout_ofTheLastHit_interruptsTheWorkAsItsOwnWould(boolean interrupts) {
    Command<String, String> command =
        tenrec
            .command(
                "Get",
                (String s, Call call) -> {
                  call.onCancel(cancelled::countDown);
                  runs.incrementAndGet();
                  try {
                    release.await();
                  } catch (InterruptedException e) {
                    interrupted.countDown();
                  }
                  return s;
                })
            .isolation(Isolation.threadPool())
            .timeout(Duration.ofSeconds(10))
            .property("execution.isolation.thread.interruptOnTimeout", "" + interrupts)
            .withDeadline()
            .cacheKey(s -> s)
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = command.executeAsync("a");
      await().until(() -> runs.get() == 1);
      CompletableFuture<Throwable> hit = hit(request, command, Limit.DEADLINE, Door.ASYNC);
      assertThat(first.cancel(true)).isTrue();

      time.advance(LIMIT);

      await().until(() -> cancelled.getCount() == 0);
      assertThat(hit.join()).isInstanceOf(CommandTimeoutException.class);
      if (interrupts) {
        await().until(() -> interrupted.getCount() == 0);
      } else {
        release.countDown();
      }
      await().until(() -> command.view().concurrency() == 0);
      assertThat(interrupted.getCount()).isEqualTo(interrupts ? 0 : 1);
    }
  }

  /** Where the work has no thread of ours. */
  @Test
  void deadline_ofTheLastHit_cancelsTheStage() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    Command<String, String> command =
        tenrec
            .asyncCommand("Get", (String s) -> stage)
            .timeout(Duration.ofSeconds(10))
            .withDeadline()
            .cacheKey(s -> s)
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = command.executeAsync("a");
      CompletableFuture<Throwable> hit = hit(request, command, Limit.DEADLINE, Door.ASYNC);
      assertThat(first.cancel(true)).isTrue();

      time.advance(LIMIT);

      await().until(stage::isCancelled);
      await().until(() -> command.view().concurrency() == 0);
      assertThat(hit.join()).isInstanceOf(CommandTimeoutException.class);
    } finally {
      stage.cancel(false); // else closing would wait for it
    }
    assertCounts(command, DEADLINE_EXCEEDED, FALLBACK_MISSING, EXCEPTION_THROWN, CANCELLED);
  }

  /** On the thread of the last caller: the permit is back when that goes on. */
  @Test
  void cancel_ofTheLast_cancelsTheStageAtOnce() {
    HeldTasks held = new HeldTasks();
    Tenrec busy = Tenrec.builder().time(time, time).callbackExecutor(held).build();
    CompletableFuture<String> stage = new CompletableFuture<>();
    Command<String, String> command =
        busy.asyncCommand("Get", (String s) -> stage).withoutTimeout().cacheKey(s -> s).build();
    try (RequestContext request = busy.openRequest()) {
      CompletableFuture<String> first = command.executeAsync("a");
      CompletableFuture<String> hit = command.executeAsync("a");
      assertThat(first.cancel(true)).isTrue();
      assertThat(stage).isNotDone();

      assertThat(hit.cancel(true)).isTrue();

      assertThat(stage).isCancelled();
      assertThat(command.view().concurrency()).isZero();
    } finally {
      Elsewhere.close(busy, time);
      held.runWhatIsThere();
    }
  }

  /** Its thread waits for the run of another call, which has left by then. */
  @Test
  void interrupt_ofTheLastHit_endsTheRun() {
    Command<String, String> command = cancellable().build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = command.executeAsync("a");
      await().until(() -> runs.get() == 1);
      CompletableFuture<Throwable> ending = new CompletableFuture<>();
      Thread caller =
          Elsewhere.start(
              request.wrap(
                  () -> {
                    ending.complete(command.attempt("a").error());
                  }));
      await().until(() -> time.waiting().contains(caller));
      assertThat(first.cancel(true)).isTrue();
      assertThat(cancelled.getCount()).isOne();

      caller.interrupt();

      await().until(() -> cancelled.getCount() == 0);
      await().until(() -> command.view().concurrency() == 0);
      assertThat(ending)
          .succeedsWithin(PatientWaits.patience())
          .isInstanceOf(CommandInterruptedException.class);
    }
    assertCounts(command, CANCELLED, CANCELLED);
  }

  @Test
  void deadline_ofTheLastHitWhileTheRunWaitsForItsRetry_endsTheRun() {
    Command<String, String> command =
        tenrec
            .<String, String>command(
                "Get",
                (String s) -> {
                  runs.incrementAndGet();
                  throw new IOException("of the test");
                })
            .isolation(Isolation.threadPool())
            .timeout(Duration.ofSeconds(10))
            .withDeadline()
            .cacheKey(s -> s)
            .retry(
                Retry.attempts(3)
                    .backoff(Duration.ofSeconds(1), Duration.ofSeconds(1))
                    .jitter(Jitter.NONE)
                    .budget(100, 100))
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = command.executeAsync("a");
      await().until(() -> Inside.waitingForRetry(command.view()) == 1);
      await().until(() -> tenrec.pools().get(0).active() == 0); // before that it may yet just fail
      CompletableFuture<Throwable> hit = hit(request, command, Limit.DEADLINE, Door.ASYNC);
      assertThat(first.cancel(true)).isTrue();

      time.advance(LIMIT);

      assertThat(hit.join()).isInstanceOf(CommandTimeoutException.class);
      await().until(() -> Inside.waitingForRetry(command.view()) == 0);
      time.advance(Duration.ofSeconds(2));
    }
    assertThat(runs).hasValue(1);
    assertCounts(
        command, FAILURE, CANCELLED, DEADLINE_EXCEEDED, FALLBACK_MISSING, EXCEPTION_THROWN);
  }

  @Test
  void deadline_ofTheLastHitWhileTheRunIsAttemptedAgain_cancelsTheAttempt() {
    Command<String, String> command =
        tenrec
            .command(
                "Get",
                (String s, Call call) -> {
                  if (runs.incrementAndGet() == 1) {
                    throw new IOException("of the test");
                  }
                  call.onCancel(cancelled::countDown);
                  try {
                    release.await();
                  } catch (InterruptedException e) {
                    interrupted.countDown();
                  }
                  return s;
                })
            .isolation(Isolation.threadPool())
            .timeout(Duration.ofDays(1)) // however often time goes on for its next attempt
            .withDeadline()
            .cacheKey(s -> s)
            .retry(Retry.attempts(3).backoff(Duration.ZERO, Duration.ZERO).budget(100, 100))
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = command.executeAsync("a");
      await()
          .until(
              () -> {
                time.advanceMillis(1); // the timer begins the next attempt
                return runs.get() == 2;
              });
      CompletableFuture<Throwable> hit = hit(request, command, Limit.DEADLINE, Door.ASYNC);
      assertThat(first.cancel(true)).isTrue();

      time.advance(LIMIT);

      assertThat(hit.join()).isInstanceOf(CommandTimeoutException.class);
      await().until(() -> cancelled.getCount() == 0);
      await().until(() -> interrupted.getCount() == 0);
      await().until(() -> command.view().concurrency() == 0);
    }
    assertThat(runs).hasValue(2);
    assertThat(command.view().cumulativeCount(CANCELLED)).isOne();
    assertThat(command.view().cumulativeCount(SUCCESS)).isZero();
  }

  @Test
  void deadline_ofTheLastHitWhileTheRunIsHedged_cancelsBothAttempts() {
    Command<String, String> command =
        tenrec
            .command(
                "Get",
                (String s, Call call) -> {
                  runs.incrementAndGet();
                  call.onCancel(both::countDown);
                  Uninterruptibly.await(both);
                  return s;
                })
            .isolation(Isolation.threadPool())
            .timeout(Duration.ofDays(1)) // however often time goes on for its hedge
            .withDeadline()
            .cacheKey(s -> s)
            .hedge(Hedge.after(Duration.ofMillis(20)).budget(100, 100))
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = command.executeAsync("a");
      await().until(() -> runs.get() == 1);
      await()
          .until(
              () -> {
                time.advanceMillis(20); // once the first attempt has armed its hedge
                return runs.get() == 2;
              });
      CompletableFuture<Throwable> hit = hit(request, command, Limit.DEADLINE, Door.ASYNC);
      assertThat(first.cancel(true)).isTrue();

      time.advance(LIMIT);

      assertThat(hit.join()).isInstanceOf(CommandTimeoutException.class);
      await().until(() -> both.getCount() == 0);
      await().until(() -> command.view().concurrency() == 0);
    }
    assertCounts(
        command,
        HEDGE,
        CANCELLED,
        ATTEMPT_OUTRUN,
        DEADLINE_EXCEEDED,
        FALLBACK_MISSING,
        EXCEPTION_THROWN);
  }

  /** The run's fallback blocks, and those of calls that come later do not. */
  private Fallback<String, String> blockingOnce(AtomicInteger fallbacks) {
    return (s, cause) -> {
      if (fallbacks.incrementAndGet() == 1) {
        try {
          release.await();
        } catch (InterruptedException e) {
          interrupted.countDown();
          Uninterruptibly.await(release);
        }
      }
      return "instead";
    };
  }

  @Test
  void deadline_ofTheLastHitWhileTheRunIsAtItsFallback_interruptsThat() {
    AtomicInteger fallbacks = new AtomicInteger();
    Command<String, String> command =
        cancellable().timeout(LIMIT).fallback(blockingOnce(fallbacks)).build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = command.executeAsync("a");
      await().until(() -> runs.get() == 1);
      time.advance(LIMIT);
      await().until(() -> fallbacks.get() == 1);
      CompletableFuture<String> hit = command.executeAsync("a");
      assertThat(first.cancel(true)).isTrue();
      assertThat(interrupted.getCount()).as("the hit waits for it").isOne();

      time.advance(LIMIT);

      await().until(() -> interrupted.getCount() == 0);
      assertThat(hit.join()).isEqualTo("instead");
      release.countDown();
    }
    await().until(() -> command.view().concurrency() == 0);
    assertCounts(command, TIMEOUT, CANCELLED, TIMEOUT, FALLBACK_SUCCESS);
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void context_ofAHitFailing_countsAsLeaving(Order order) {
    Command<String, String> command = cancellable().build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = command.executeAsync("a");
      await().until(() -> runs.get() == 1);
      CompletableFuture<String> other = command.executeAsync("a");
      contextFails.set(true);
      if (order == Order.FIRST_LEAVES_FIRST) {
        assertThat(first.cancel(true)).isTrue();
      }

      CompletableFuture<Throwable> hit = errorOf(command.executeAsync("a"));
      contextFails.set(false);

      assertThat(hit.join()).hasMessage("of the test");
      assertThat(cancelled.getCount()).isOne();
      first.cancel(true);
      assertThat(cancelled.getCount()).isOne();
      assertThat(other.cancel(true)).isTrue();
      await().until(() -> cancelled.getCount() == 0);
      await().until(() -> command.view().concurrency() == 0);
    }
    assertCounts(command, FAILURE, FALLBACK_MISSING, EXCEPTION_THROWN, CANCELLED, CANCELLED);
  }

  /** It has joined the run, and is not launched yet: only the thread that launches it can leave. */
  @ParameterizedTest
  @EnumSource(Order.class)
  void hit_disposedWhileItIsReported_countsAsLeaving(Order order) {
    AtomicReference<Runnable> atHit = new AtomicReference<>(() -> {});
    Tenrec listened =
        Tenrec.builder()
            .time(time, time)
            .listen(
                new CommandListener() {
                  @Override
                  public void onCacheHit(ListenedCall call) {
                    atHit.get().run();
                  }
                })
            .build();
    Command<String, String> command = cancellable(listened).build();
    try (RequestContext request = listened.openRequest()) {
      CompletableFuture<String> first = command.executeAsync("a");
      await().until(() -> runs.get() == 1);
      TestObserver<String> hit = new TestObserver<>();
      atHit.set(
          () -> {
            if (order == Order.FIRST_LEAVES_FIRST) {
              assertThat(first.cancel(true)).isTrue();
            }
            hit.dispose();
          });

      command.toSingle("a").subscribe(hit);

      assertThat(hit.isDisposed()).isTrue();
      if (order == Order.HIT_LEAVES_FIRST) {
        assertThat(cancelled.getCount()).as("the first call waits for it").isOne();
        assertThat(first.cancel(true)).isTrue();
      }
      await().until(() -> cancelled.getCount() == 0);
      await().until(() -> command.view().concurrency() == 0);
      assertThat(cancellers).hasSize(1);
      assertCounts(command, CANCELLED, CANCELLED);
      assertThat(command.execute("a")).isEqualTo("a 2");
    } finally {
      cancelled.countDown();
      Elsewhere.close(listened, time);
    }
  }

  /**
   * The timer is closed by then, and the run is at a fallback that goes on. The hit has begun
   * before, and asks for its key meanwhile.
   */
  @Test
  void close_beforeTheDeadlineOfAHitIsArmed_countsAsLeaving() {
    AtomicInteger fallbacks = new AtomicInteger();
    AtomicReference<Runnable> whileAskedForTheKey = new AtomicReference<>(() -> {});
    Command<String, String> command =
        cancellable()
            .timeout(LIMIT)
            .fallback(blockingOnce(fallbacks))
            .cacheKey(
                s -> {
                  whileAskedForTheKey.get().run();
                  return s;
                })
            .build();
    CountDownLatch busy = new CountDownLatch(1);
    Command<String, String> other =
        tenrec
            .command(
                "Other",
                (String s) -> {
                  busy.countDown();
                  Uninterruptibly.await(release);
                  return s;
                })
            .isolation(Isolation.threadPool().key("other"))
            .withoutTimeout()
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = command.executeAsync("a");
      await().until(() -> runs.get() == 1);
      time.advance(LIMIT);
      await().until(() -> fallbacks.get() == 1);
      await().until(() -> command.view().concurrency() == 0);
      CompletableFuture<String> unused = other.executeAsync("x");
      await().until(() -> busy.getCount() == 0);
      Thread closer = new Thread(() -> tenrec.close(Duration.ZERO));
      whileAskedForTheKey.set(
          () -> {
            closer.start();
            await().until(() -> time.waiting().contains(closer)); // for the other command's thread
          });

      CompletableFuture<Throwable> hit = errorOf(command.executeAsync("a"));

      assertThat(hit.join())
          .isInstanceOf(CancellationException.class)
          .hasMessageContaining("its Tenrec was closed");
      assertThat(first).isNotDone();
      assertThat(first.cancel(true)).isTrue();
      assertCounts(command, TIMEOUT, CANCELLED, CANCELLED);
      release.countDown();
      await()
          .until(
              () -> {
                time.advanceMillis(10);
                return !closer.isAlive();
              });
    }
  }

  /** A hit has no work that closing would have to know of. */
  @Test
  void hit_ofWorkOnItsCallersThread_isForgottenWhenItHasEnded() {
    Command<String, String> command =
        tenrec
            .command(
                "Get",
                (String s, Call call) -> {
                  runs.incrementAndGet();
                  release.await();
                  return s;
                })
            .isolation(Isolation.semaphore(5))
            .withoutTimeout()
            .cacheKey(s -> s)
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      Runnable call =
          request.wrap(
              () -> {
                assertThat(command.execute("a")).isEqualTo("a");
              });
      Thread first = new Thread(call);
      first.start();
      await().until(() -> runs.get() == 1);
      Thread hit = new Thread(call);
      hit.start();
      await().until(() -> time.waiting().contains(hit));
      release.countDown();
      await().until(() -> !first.isAlive() && !hit.isAlive());
    }
    assertThat(Inside.stages(command.view())).isZero();
  }
}
