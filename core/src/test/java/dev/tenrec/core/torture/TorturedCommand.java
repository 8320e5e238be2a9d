// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.isolation.VirtualThreads;
import dev.tenrec.core.kit.Account;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandView;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.observers.TestObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** A command that does anything at random, and what its callers saw of it. */
final class TorturedCommand {

  private static final String BUDGET = "Tortured";
  private static final Retry RETRY =
      Retry.attempts(4)
          .backoff(Duration.ofMillis(1), Duration.ofMillis(4))
          .attemptTimeout(Duration.ofMillis(8))
          .onRefusals()
          .howeverLittleTimeIsLeft()
          .sharedBudget(BUDGET)
          .budget(50, 50);

  private static final int VALUE = 1;
  private static final int FALLBACK = 2;

  private final Tenrec tenrec;
  private final Command<Random, Integer> command;
  private final boolean mayChangeStrategy;

  /** Raised by receivers. */
  private final AtomicInteger thrown = new AtomicInteger();

  // Raised by callers, read after they have ended.
  private final LongAdder calls = new LongAdder();
  private final LongAdder values = new LongAdder();
  private final LongAdder fallbacks = new LongAdder();
  private final LongAdder errors = new LongAdder();
  private final LongAdder futuresGivenUp = new LongAdder();
  private final LongAdder endedTwice = new LongAdder();
  private final LongAdder faults = new LongAdder();

  private TorturedCommand(
      Tenrec tenrec, CommandBuilder<Random, Integer> builder, boolean mayChangeStrategy) {
    this.tenrec = tenrec;
    this.mayChangeStrategy = mayChangeStrategy;
    this.command =
        builder
            .timeout(Duration.ofMillis(15))
            .sleepWindow(Duration.ofMillis(30))
            .errorThreshold(80, 20)
            .fallbackLimit(6)
            .property("metrics.rollingStats.timeInMilliseconds", "500")
            .property("metrics.healthSnapshot.intervalInMilliseconds", "20")
            .property("execution.isolation.stage.abandonAfterInMilliseconds", "20")
            .property("execution.isolation.thread.interruptOnFutureCancel", "true")
            .fallback(TorturedCommand::fallback)
            .build();
  }

  static List<TorturedCommand> all(Tenrec tenrec, AtomicBoolean healthy) {
    List<TorturedCommand> all = new ArrayList<>();
    Isolation.ThreadPool pool = Isolation.threadPool().coreSize(10);
    all.add(plain(tenrec, "Pool", pool, healthy));
    all.add(plain(tenrec, "QueuedPool", pool.queueSize(5), healthy));
    all.add(plain(tenrec, "Semaphore", Isolation.semaphore(10), healthy));
    all.add(
        new TorturedCommand(
            tenrec,
            tenrec
                .command("CallOnPool", (Random random, Call call) -> work(random, call, healthy))
                .isolation(pool),
            true));
    all.add(
        new TorturedCommand(
            tenrec,
            tenrec
                .command("CallHere", (Random random, Call call) -> work(random, call, healthy))
                .isolation(Isolation.semaphore(10)),
            true));
    all.add(
        new TorturedCommand(
            tenrec,
            tenrec.asyncCommand("Stage", (Random random) -> stage(random, healthy)),
            false));
    all.add(
        new TorturedCommand(
            tenrec,
            tenrec
                .asyncCommand("StageOnPool", (Random random) -> stage(random, healthy))
                .isolation(pool),
            false));
    all.add(
        new TorturedCommand(
            tenrec,
            tenrec
                .command("Limited", (Random random) -> work(random, null, healthy))
                .isolation(Isolation.semaphore(10))
                .rateLimit(500, Duration.ofSeconds(1), 20),
            true));
    all.add(
        new TorturedCommand(
            tenrec,
            tenrec
                .command("LimitedByKey", (Random random) -> work(random, null, healthy))
                .isolation(pool)
                .rateLimit(50, Duration.ofSeconds(1), 5)
                .rateLimitKey(random -> random.nextInt(12))
                .property("rateLimiter.maxKeys", "5"),
            true));
    if (VirtualThreads.supported()) {
      all.add(plain(tenrec, "Virtual", Isolation.virtualThreads(10), healthy));
    }
    all.add(
        withAll(
            tenrec
                .command("AllOnPool", (Random random, Call call) -> work(random, call, healthy))
                .isolation(pool.queueSize(5)),
            tenrec,
            true));
    all.add(
        withAll(
            tenrec.asyncCommand("AllOfStages", (Random random) -> stage(random, healthy)),
            tenrec,
            false));
    all.add(
        new TorturedCommand(
            tenrec,
            tenrec
                .command("RetriedHere", (Random random, Call call) -> work(random, call, healthy))
                .isolation(Isolation.semaphore(10))
                .retry(RETRY),
            true));
    return all;
  }

  /** Retried, hedged, limited in its rate, and with a deadline that travels. */
  private static TorturedCommand withAll(
      CommandBuilder<Random, Integer> builder, Tenrec tenrec, boolean mayChangeStrategy) {
    return new TorturedCommand(
        tenrec,
        builder
            .retry(RETRY)
            .hedge(Hedge.after(Duration.ofMillis(3)).atMost(2).sharedBudget(BUDGET).budget(50, 50))
            .rateLimit(800, Duration.ofSeconds(1), 50)
            .property("deadline.enabled", "true"),
        mayChangeStrategy);
  }

  private static TorturedCommand plain(
      Tenrec tenrec, String key, Isolation isolation, AtomicBoolean healthy) {
    return new TorturedCommand(
        tenrec,
        tenrec.command(key, (Random random) -> work(random, null, healthy)).isolation(isolation),
        true);
  }

  private static int work(Random given, Call call, AtomicBoolean healthy) throws Exception {
    Random random = new Random(given.nextLong());
    if (healthy.get()) {
      return VALUE;
    }
    switch (random.nextInt(12)) {
      case 0:
        throw new IOException("failure");
      case 1:
        throw new BadRequestException("bad");
      case 2:
        throw new AssertionError("an error");
      case 3:
        TimeUnit.MILLISECONDS.sleep(
            random.nextInt(40)); // about the time-out, ends when interrupted
        return VALUE;
      case 4:
        long end = System.nanoTime() + random.nextInt(25_000_000); // deaf to interrupts
        while (System.nanoTime() < end) {
          LockSupport.parkNanos(1_000_000);
          if (call != null && call.isGivenUp()) {
            break;
          }
        }
        return VALUE;
      case 5:
        if (call != null) {
          AtomicBoolean stop = new AtomicBoolean();
          call.onCancel(() -> stop.set(true));
          for (int i = 0; i < 30 && !stop.get(); i++) {
            LockSupport.parkNanos(1_000_000);
          }
        }
        return VALUE;
      case 6:
        throw new StackOverflowError("unrecoverable");
      default:
        return VALUE;
    }
  }

  private static CompletionStage<Integer> stage(Random given, AtomicBoolean healthy) {
    Random random = new Random(given.nextLong());
    CompletableFuture<Integer> stage = new CompletableFuture<>();
    if (healthy.get()) {
      stage.complete(VALUE);
      return stage;
    }
    switch (random.nextInt(8)) {
      case 0:
        stage.completeExceptionally(new IOException("failure"));
        break;
      case 1:
        throw new IllegalStateException("not even started");
      case 2:
        break; // never ends but by its cancellation
      case 3:
      case 4:
        CompletableFuture<Void> later =
            CompletableFuture.runAsync(
                () -> stage.complete(VALUE),
                CompletableFuture.delayedExecutor(random.nextInt(30), TimeUnit.MILLISECONDS));
        assertThat(later).isNotNull();
        break;
      default:
        stage.complete(VALUE);
    }
    return stage;
  }

  private static Integer fallback(Random given, Throwable cause) throws Exception {
    switch (given.nextInt(10)) {
      case 0:
        throw new IOException("fallback failure");
      case 1:
        LockSupport.parkNanos(2_000_000);
        return FALLBACK;
      default:
        return FALLBACK;
    }
  }

  void callByAnyDoor(Random random) {
    calls.increment();
    Random own = new Random(random.nextLong());
    switch (random.nextInt(8)) {
      case 0:
      case 1:
        execute(own);
        break;
      case 2:
        attempt(own);
        break;
      case 3:
      case 4:
        future(own, random);
        break;
      case 5:
        single(own, random);
        break;
      default:
        receiver(own, random);
    }
    if (random.nextInt(4) == 0) {
      boolean unused = Thread.interrupted(); // else the flag is set before the next call
    }
  }

  private void execute(Random own) {
    try {
      check(command.execute(own));
    } catch (Throwable thrown) {
      errors.increment();
    }
  }

  private void attempt(Random own) {
    Outcome<Integer> outcome = command.attempt(own);
    long answers = Account.ANSWERS.stream().filter(outcome::has).count();
    if (answers != 1 || outcome.isAnswered() == (outcome.error() != null)) {
      faults.increment();
    }
    if (outcome.isAnswered()) {
      check(outcome.value());
    } else {
      errors.increment();
    }
  }

  private void future(Random own, Random random) {
    CompletableFuture<Integer> future = command.executeAsync(own);
    AtomicInteger endings = new AtomicInteger();
    CompletableFuture<Integer> seen =
        future.whenComplete(
            (value, error) -> {
              if (endings.incrementAndGet() > 1) {
                endedTwice.increment();
              } else if (error == null) {
                check(value);
              } else if (future.isCancelled()) {
                futuresGivenUp.increment();
              } else {
                errors.increment();
              }
            });
    if (random.nextInt(3) == 0) {
      boolean unused = future.cancel(random.nextBoolean());
    } else {
      try {
        Integer unused = seen.get(PatientWaits.seconds(), TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (TimeoutException e) {
        faults.increment(); // it hangs
      } catch (ExecutionException | CancellationException e) {
        // counted above
      }
    }
  }

  private void single(Random own, Random random) {
    // what it throws, Rx would take for an error of the source
    CountingReceiver receiver = new CountingReceiver(false);
    TestObserver<Integer> observer =
        command.toSingle(own).doOnSuccess(receiver::onValue).doOnError(receiver::onError).test();
    if (random.nextInt(3) == 0) {
      observer.dispose();
    } else {
      try {
        if (!observer.await(PatientWaits.seconds(), TimeUnit.SECONDS)) {
          faults.increment(); // it hangs
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void receiver(Random own, Random random) {
    Disposable execution = command.execute(own, new CountingReceiver(true));
    if (random.nextInt(3) == 0) {
      execution.dispose();
    }
  }

  private void check(Integer value) {
    if (value == VALUE) {
      values.increment();
    } else if (value == FALLBACK) {
      fallbacks.increment();
    } else {
      faults.increment();
    }
  }

  /** One execution's receiver; now and then it throws. */
  private final class CountingReceiver implements Receiver<Integer> {

    private final boolean mayThrow;
    private final AtomicInteger endings = new AtomicInteger();

    CountingReceiver(boolean mayThrow) {
      this.mayThrow = mayThrow;
    }

    @Override
    public void onValue(Integer value) {
      once();
      check(value);
      if (mayThrow && thrown.incrementAndGet() <= 2) { // each is logged
        throw new IllegalStateException("a receiver that throws");
      }
    }

    @Override
    public void onError(Throwable error) {
      once();
      errors.increment();
    }

    private void once() {
      if (endings.incrementAndGet() > 1) {
        endedTwice.increment();
      }
    }
  }

  void change(Random random) {
    String prefix = "tenrec.command." + command.key() + ".";
    switch (random.nextInt(13)) {
      case 8:
        tenrec.set(
            Map.of(
                prefix + "retry.attempts",
                "" + (1 + random.nextInt(6)),
                prefix + "retry.firstDelayInMilliseconds",
                "" + random.nextInt(3),
                prefix + "retry.longestDelayInMilliseconds",
                "" + (3 + random.nextInt(5)),
                prefix + "retry.attemptTimeoutInMilliseconds",
                "" + random.nextInt(12)));
        break;
      case 9:
        tenrec.set(
            Map.of(
                prefix + "hedge.afterInMilliseconds",
                "" + (1 + random.nextInt(8)),
                prefix + "hedge.afterPercentile",
                "" + random.nextInt(2) * 90,
                prefix + "hedge.atMost",
                "" + (1 + random.nextInt(4))));
        break;
      case 10:
        tenrec.set(prefix + "retry.enabled", "" + (random.nextInt(4) > 0));
        tenrec.set(prefix + "hedge.enabled", "" + (random.nextInt(4) > 0));
        break;
      case 11:
        tenrec.set(
            Map.of(
                "tenrec.retrybudget." + BUDGET + ".percent",
                "" + random.nextInt(101),
                "tenrec.retrybudget." + BUDGET + ".perSecond",
                "" + random.nextInt(200)));
        break;
      case 5:
        tenrec.set(
            Map.of(
                prefix + "rateLimiter.permits",
                "" + (100 + random.nextInt(900)),
                prefix + "rateLimiter.burst",
                "" + (1 + random.nextInt(50)),
                prefix + "rateLimiter.maxKeys",
                "" + (1 + random.nextInt(12))));
        break;
      case 7:
        tenrec.set(prefix + "deadline.enabled", "" + random.nextBoolean());
        break;
      case 6:
        tenrec.set(prefix + "rateLimiter.enabled", "" + random.nextBoolean());
        break;
      case 0:
        tenrec.set(
            prefix + "execution.isolation.semaphore.maxConcurrentRequests",
            "" + (1 + random.nextInt(20)));
        break;
      case 1:
        tenrec.set(
            "tenrec.threadpool." + command.key() + ".coreSize", "" + (1 + random.nextInt(12)));
        break;
      case 2:
        tenrec.set(
            "tenrec.threadpool." + command.key() + ".maxQueueSize", "" + (random.nextInt(8) - 1));
        break;
      case 3:
        tenrec.set(
            prefix + "execution.isolation.thread.timeoutInMilliseconds",
            "" + (5 + random.nextInt(20)));
        break;
      default:
        if (mayChangeStrategy) {
          tenrec.set(
              prefix + "execution.isolation.strategy",
              random.nextBoolean() ? "THREAD" : "SEMAPHORE");
        }
    }
  }

  void calm() {
    tenrec.set(
        "tenrec.command." + command.key() + ".execution.isolation.thread.timeoutInMilliseconds",
        "2000");
    tenrec.set("tenrec.command." + command.key() + ".rateLimiter.enabled", "false");
    tenrec.set("tenrec.command." + command.key() + ".retry.attemptTimeoutInMilliseconds", "0");
  }

  boolean answersWhenHealthy() {
    return command.attempt(new Random(1)).isSuccess();
  }

  CommandView view() {
    return command.view();
  }

  /** Those that are reported to nobody are those that were counted as cancelled. */
  void assertAllAnswered() {
    Account account = Account.of(command.view());
    assertThat(account.answers()).as("answers of %s", account).isEqualTo(calls.sum());
  }

  void assertAccount() {
    Account account = Account.of(command.view());
    long answered = values.sum() + fallbacks.sum() + errors.sum() + futuresGivenUp.sum();
    long unanswered = calls.sum() - answered;
    assertThat(account.answers()).as("answers of %s", account).isEqualTo(calls.sum());
    long further = account.of(EventType.RETRY) + account.of(EventType.HEDGE);
    long attempts = account.answers() + further - account.of(EventType.ATTEMPT_OUTRUN);
    assertThat(attempts - account.causes())
        .as("attempts less causes: those cancelled before there was a cause, of %s", account)
        .isBetween(0L, account.of(EventType.CANCELLED));
    assertThat(endedTwice.sum()).as("ended twice").isZero();
    assertThat(faults.sum()).as("wrong values, or calls that hang").isZero();
    assertThat(unanswered)
        .as("calls whose receiver heard nothing, of %s", account)
        .isBetween(0L, account.of(EventType.CANCELLED));
    // a future that is cancelled just as its execution has ended is cancelled for its caller only
    long race = futuresGivenUp.sum();
    assertThat(account.of(EventType.SUCCESS))
        .as("values, of %s", account)
        .isBetween(values.sum(), values.sum() + race);
    assertThat(account.of(EventType.FALLBACK_SUCCESS))
        .as("fallbacks, of %s", account)
        .isBetween(fallbacks.sum(), fallbacks.sum() + race);
    assertThat(account.of(EventType.EXCEPTION_THROWN) + account.of(EventType.CANCELLED))
        .as("errors and cancellations, of %s", account)
        .isBetween(errors.sum() + unanswered, errors.sum() + unanswered + race);
  }
}
