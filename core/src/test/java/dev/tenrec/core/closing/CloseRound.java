// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.CommandOptions;
import dev.tenrec.core.InsideTenrec;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.NoSettings;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.metrics.PatientWaits;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.disposables.Disposable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** One small Tenrec with some calls of every door in flight, closed by two threads at once. */
final class CloseRound {

  /** For so long at least a close waits for threads to end. */
  private static final long LAST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** How many close at once. */
  private static final int CLOSERS = Integer.getInteger("tenrec.closers", 2);

  private final ExecutorService callers;

  private final Random random;
  private final Tenrec tenrec = Tenrec.builder().source(new NoSettings()).callbacks(2, 4).build();
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Works that began after a close had returned, by where. */
  private final AtomicInteger lateOnCallers = new AtomicInteger();

  private final AtomicInteger lateOnThreads = new AtomicInteger();

  /** Of how many calls the closes said that they are still on their callers' threads. */
  private final AtomicInteger leftOnCallers = new AtomicInteger();

  /** Of how many threads of ours they said that these are still at a call. */
  private final AtomicInteger leftOnThreads = new AtomicInteger();

  /** When the first of those that close began to; 0 before. */
  private final AtomicLong closeStart = new AtomicLong();

  private final List<String> missing = new ArrayList<>();
  private final List<CompletableFuture<String>> futures = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final List<Future<String>> inside = new ArrayList<>();

  /**
   * Not played yet.
   *
   * @param callers has threads for all calls, which nobody interrupts
   */
  CloseRound(long seed, ExecutorService callers) {
    this.callers = callers;
    random = new Random(seed);
  }

  private void begins() {
    if (closed.get()) {
      boolean onCaller = !Thread.currentThread().getName().startsWith("tenrec-");
      (onCaller ? lateOnCallers : lateOnThreads).incrementAndGet();
    }
  }

  private String work(long seed, boolean mayHang) throws InterruptedException {
    begins();
    switch (new Random(seed).nextInt(5)) {
      case 0:
        Thread.sleep(2);
        break;
      case 1:
        LockSupport.parkNanos(500_000);
        break;
      case 2:
        if (mayHang) {
          int unused = Uninterruptibly.sleepOrInterrupt();
        }
        break;
      case 3:
        throw new IllegalStateException("failure");
      default:
    }
    return "value";
  }

  private CompletableFuture<String> stage(long seed) {
    begins();
    return new Random(seed).nextBoolean()
        ? CompletableFuture.completedFuture("value")
        : new CompletableFuture<>();
  }

  private <B extends CommandOptions<B>> B options(B builder) {
    return builder
        .timeout(Duration.ofMillis(1 + random.nextInt(8)))
        .withoutCircuitBreaker()
        .property("execution.isolation.stage.abandonAfterInMilliseconds", "20");
  }

  /** What did not hold. */
  List<String> play() throws Exception {
    Command<Long, String> pooled =
        options(tenrec.command("Pooled", (Long seed) -> work(seed, true)))
            .isolation(Isolation.threadPool().coreSize(2).queueSize(4))
            .build();
    Command<Long, String> withFallback =
        options(tenrec.command("WithFallback", (Long seed) -> work(seed, true)))
            .isolation(Isolation.threadPool().coreSize(2).queueSize(4))
            .fallback((seed, cause) -> "fallback")
            .build();
    Command<Long, String> here =
        options(tenrec.command("Here", (Long seed) -> work(seed, false)))
            .isolation(Isolation.semaphore(4))
            .build();
    Command<Long, String> staged =
        options(tenrec.asyncCommand("Staged", (Long seed) -> stage(seed)))
            .isolation(Isolation.semaphore(4))
            .build();
    Collapser<Long, String> batched =
        options(
                tenrec.collapser(
                    "Batched",
                    (List<Long> all) -> {
                      Map<Long, String> answers = new HashMap<>();
                      for (Long one : all) {
                        answers.put(one, work(one, false));
                      }
                      return answers;
                    }))
            .isolation(Isolation.threadPool().coreSize(1))
            .globalScope()
            .timerDelay(Duration.ofMillis(1))
            .build();
    StreamCommand<Long, String> streamed =
        options(
                tenrec.streamCommand(
                    "Streamed",
                    (Long seed) ->
                        stage(seed).isDone() ? Flowable.just("value") : Flowable.never()))
            .build();

    int calls = 6 + random.nextInt(10);
    for (int i = 0; i < calls; i++) {
      call(List.of(pooled, withFallback, here, staged), batched, streamed);
    }
    LockSupport.parkNanos(random.nextInt(3_000_000));
    Duration patience = Duration.ofMillis(random.nextInt(3));
    CountDownLatch go = new CountDownLatch(1);
    List<Future<?>> closers = new ArrayList<>();
    for (int i = 0; i < CLOSERS; i++) {
      closers.add(callers.submit(() -> close(go, patience)));
    }
    go.countDown();
    for (int i = 0; i < 4; i++) { // some come while it closes, and after
      call(List.of(pooled, withFallback, here, staged), batched, streamed);
    }
    for (Future<?> closer : closers) {
      closer.get(PatientWaits.seconds(), TimeUnit.SECONDS);
    }
    lookAtEndings();
    for (var view : tenrec.commands()) {
      if (view.concurrency() != 0 || view.stillBusy() != 0) {
        await()
            .atMost(PatientWaits.patience())
            .untilAsserted(
                () -> {
                  assertThat(view.concurrency()).as("permits of %s", view.key()).isZero();
                  assertThat(view.stillBusy()).as("busy of %s", view.key()).isZero();
                });
      }
    }
    if (lateOnThreads.get() > leftOnThreads.get()) { // these were held up on their way to it
      missing.add(
          lateOnThreads
              + " works began on our threads after close had returned, which spoke of "
              + leftOnThreads);
    }
    if (lateOnCallers.get() > leftOnCallers.get()) { // these had their permits before
      missing.add(
          lateOnCallers
              + " works began on callers' threads after close had returned, which spoke of "
              + leftOnCallers);
    }
    // a call that was at the gates, or comes after, has its callback on a thread made for it
    await()
        .atMost(PatientWaits.patience())
        .untilAsserted(() -> assertThat(tenrec.liveThreads()).as("live threads").isZero());
    return missing;
  }

  private void close(CountDownLatch go, Duration patience) {
    Uninterruptibly.await(go);
    // of both: the one that waits for the other may be held up before it begins
    long start = closeStart.updateAndGet(first -> first == 0 ? System.nanoTime() : first);
    List<StillRunning> left = new ArrayList<>(tenrec.close(patience));
    boolean outwaited = System.nanoTime() - start > LAST_NANOS;
    for (StillRunning one : left) {
      boolean onCallers = one.thread().equals(StillRunning.CALLERS);
      (onCallers ? leftOnCallers : leftOnThreads).addAndGet(one.calls());
    }
    // work on callers' threads is not interrupted, so a short patience finds it there
    left.removeIf(one -> one.thread().equals(StillRunning.CALLERS));
    int busy = threadsOfPools();
    closed.set(true);
    if (outwaited && (busy != 0 || !left.isEmpty())) {
      // threads that a busy machine lets wait for longer than a close does: they end, if late
      await().atMost(PatientWaits.patience()).until(() -> threadsOfPools() == 0);
      return;
    }
    synchronized (missing) {
      if (!left.isEmpty()) {
        missing.add("left after close: " + left);
      }
      if (busy != 0) {
        missing.add("a close returned while " + busy + " threads of pools were alive");
      }
    }
  }

  private int threadsOfPools() {
    return InsideTenrec.registry(tenrec).poolsAndRetired().stream()
        .mapToInt(pool -> pool.threads().live())
        .sum();
  }

  private void call(
      List<Command<Long, String>> commands,
      Collapser<Long, String> batched,
      StreamCommand<Long, String> streamed) {
    long seed = random.nextLong();
    Command<Long, String> command = commands.get(random.nextInt(commands.size()));
    int door = random.nextInt(8);
    // on threads of their own, because some block
    switch (door) {
      case 0 -> inside.add(callers.submit(() -> clean(() -> command.execute(seed))));
      case 1 ->
          inside.add(
              callers.submit(() -> clean(() -> String.valueOf(command.attempt(seed).error()))));
      case 2 -> inside.add(callers.submit(() -> clean(() -> batched.execute(seed))));
      case 3 ->
          answers(command.key() + " async", answer -> follow(answer, command.executeAsync(seed)));
      case 4 -> answers("Batched async", answer -> follow(answer, batched.executeAsync(seed)));
      case 5 ->
          answers(
              command.key() + " single",
              answer -> {
                Disposable unused =
                    command
                        .toSingle(seed)
                        .subscribe(answer::complete, answer::completeExceptionally);
              });
      case 6 ->
          answers(
              command.key() + " receiver",
              answer -> {
                Disposable unused = command.execute(seed, receiver(answer));
              });
      default ->
          answers(
              "Streamed",
              answer -> {
                Disposable unused =
                    streamed
                        .toFlowable(seed)
                        .subscribe(
                            item -> {},
                            answer::completeExceptionally,
                            () -> answer.complete("complete"));
              });
    }
  }

  /** Nobody has interrupted the caller. */
  private String clean(Callable<String> call) throws Exception {
    try {
      return call.call();
    } finally {
      if (Thread.interrupted()) {
        synchronized (missing) {
          missing.add("a caller was interrupted");
        }
      }
    }
  }

  private void answers(String name, Consumer<CompletableFuture<String>> door) {
    CompletableFuture<String> answer = new CompletableFuture<>();
    futures.add(answer);
    names.add(name);
    inside.add(
        callers.submit(
            () -> {
              door.accept(answer);
              return "back";
            }));
  }

  private void follow(CompletableFuture<String> answer, CompletableFuture<String> future) {
    CompletableFuture<Boolean> unused =
        future.handle(
            (value, error) ->
                error == null ? answer.complete(value) : answer.completeExceptionally(error));
  }

  private Receiver<String> receiver(CompletableFuture<String> answer) {
    return new Receiver<>() {
      @Override
      public void onValue(String value) {
        answer.complete(value);
      }

      @Override
      public void onError(Throwable error) {
        answer.completeExceptionally(error);
      }
    };
  }

  private void lookAtEndings() throws InterruptedException {
    for (Future<String> caller : inside) {
      try {
        String unused = caller.get(PatientWaits.seconds(), TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        // an ending
      } catch (TimeoutException e) {
        missing.add("a caller is still in its call");
        return;
      }
    }
    for (int i = 0; i < futures.size(); i++) {
      try {
        String unused = futures.get(i).get(PatientWaits.seconds(), TimeUnit.SECONDS);
      } catch (ExecutionException | CancellationException e) {
        // an ending
      } catch (TimeoutException e) {
        missing.add("no ending for " + names.get(i));
        return;
      }
    }
  }
}
