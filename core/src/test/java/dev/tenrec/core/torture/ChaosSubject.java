// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.CommandOptions;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.internal.isolation.VirtualThreads;
import dev.tenrec.core.kit.Account;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.torture.ChaosWork.Thing;
import dev.tenrec.core.torture.ChaosWorld.Hold;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandView;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.disposables.Disposable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One command, collapser or stream of a {@link ChaosWorld}, and what its callers saw of it. */
final class ChaosSubject {

  static final long TIMEOUT_NANOS = TimeUnit.MILLISECONDS.toNanos(40);
  private static final int MOST_FAULTS = 5;
  private static final int DISPOSED = 1_000;

  private final String key;
  private final ChaosWorld world;
  private final Mischief mischief;
  private final boolean hasFallback;
  private final ChaosWork work;
  private @Nullable Retry retry;
  private @Nullable Hedge hedge;

  /** Whether calls of one request with equal keys share a run. */
  private boolean shares;

  private @Nullable Command<Thing, Thing> command;
  private @Nullable Collapser<Thing, Thing> collapser;
  private @Nullable StreamCommand<Thing, Thing> stream;

  // Raised by callers and by those that notify them, read in the end.
  private final LongAdder issued = new LongAdder();
  private final LongAdder seen = new LongAdder();
  private final LongAdder dependents = new LongAdder();
  private final LongAdder dependentsRun = new LongAdder();
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();

  private ChaosSubject(String key, ChaosWorld world, boolean hasFallback) {
    this.key = key;
    this.world = world;
    this.mischief = world.mischief;
    this.hasFallback = hasFallback;
    this.work = new ChaosWork(world.mischief);
  }

  static List<ChaosSubject> all(ChaosWorld world) {
    List<ChaosSubject> all = new ArrayList<>();
    Tenrec tenrec = world.tenrec;
    ChaosWork work = new ChaosWork(world.mischief);
    Isolation pool = Isolation.threadPool().coreSize(6).queueSize(3);
    for (boolean fallback : new boolean[] {true, false}) {
      String suffix = fallback ? "WithFallback" : "";
      ChaosSubject pooled = new ChaosSubject("Pooled" + suffix, world, fallback);
      pooled.of(
          tenrec.command(pooled.key, (Thing thing, Call call) -> work.work(thing, call)), pool);
      all.add(pooled);
      ChaosSubject here = new ChaosSubject("Here" + suffix, world, fallback);
      here.of(
          tenrec.command(here.key, (Thing thing) -> work.work(thing, null)),
          Isolation.semaphore(20));
      all.add(here);
      ChaosSubject staged = new ChaosSubject("Staged" + suffix, world, fallback);
      staged.of(
          tenrec.asyncCommand(staged.key, (Thing thing, Call call) -> work.stage(thing, call)),
          Isolation.semaphore(20));
      all.add(staged);
    }
    ChaosSubject retried = new ChaosSubject("Retried", world, false);
    retried.retry =
        Retry.attempts(3)
            .backoff(Duration.ofMillis(1), Duration.ofMillis(5))
            .budget(100, 1_000)
            .notBefore(thrown -> work.notBefore())
            .onlyIf(thrown -> !work.is("onlyIf"));
    retried.of(
        tenrec.command(retried.key, (Thing thing, Call call) -> work.work(thing, call)), pool);
    all.add(retried);
    ChaosSubject timed = new ChaosSubject("AttemptTimed", world, true);
    timed.retry =
        Retry.attempts(3)
            .backoff(Duration.ZERO, Duration.ofMillis(2))
            .budget(100, 1_000)
            .attemptTimeout(Duration.ofMillis(8))
            .howeverLittleTimeIsLeft()
            .onlyIf(thrown -> !work.is("onlyIf"));
    timed.of(tenrec.command(timed.key, (Thing thing, Call call) -> work.work(thing, call)), pool);
    all.add(timed);
    for (boolean shares : new boolean[] {true, false}) {
      ChaosSubject hedged = new ChaosSubject(shares ? "HedgedShared" : "Hedged", world, !shares);
      hedged.hedge = Hedge.after(Duration.ofMillis(4)).atMost(2).budget(100, 1_000);
      hedged.shares = shares;
      hedged.of(
          tenrec.command(hedged.key, (Thing thing, Call call) -> work.work(thing, call)), pool);
      all.add(hedged);
    }
    ChaosSubject rounds = new ChaosSubject("Rounds", world, true);
    rounds.hedge = Hedge.after(Duration.ofMillis(4)).budget(100, 1_000);
    rounds.retry =
        Retry.attempts(4)
            .backoff(Duration.ZERO, Duration.ofMillis(2))
            .budget(100, 1_000)
            .attemptTimeout(Duration.ofMillis(8))
            .howeverLittleTimeIsLeft()
            .notBefore(thrown -> work.notBefore())
            .onlyIf(thrown -> !work.is("onlyIf"));
    rounds.of(tenrec.command(rounds.key, (Thing thing, Call call) -> work.work(thing, call)), pool);
    all.add(rounds);
    ChaosSubject besides = new ChaosSubject("HedgedStage", world, false);
    besides.hedge = Hedge.after(Duration.ofMillis(4)).budget(100, 1_000);
    besides.of(
        tenrec.asyncCommand(besides.key, (Thing thing, Call call) -> work.stage(thing, call)),
        Isolation.semaphore(20));
    all.add(besides);
    ChaosSubject rated = new ChaosSubject("Rated", world, false);
    rated.of(
        tenrec
            .command(rated.key, (Thing thing) -> work.work(thing, null))
            .rateLimit(5, Duration.ofMillis(20), 5)
            .set(CommandProperties.RATE_LIMITER_MAX_KEYS, 4)
            .rateLimitKey(work::rateKey),
        Isolation.semaphore(20));
    all.add(rated);
    if (VirtualThreads.supported()) {
      ChaosSubject virtual = new ChaosSubject("Virtual", world, false);
      virtual.of(
          tenrec.command(virtual.key, (Thing thing, Call call) -> work.work(thing, call)),
          Isolation.virtualThreads(20));
      all.add(virtual);
    }
    ChaosSubject batched = new ChaosSubject("Batched", world, false);
    batched.collapser =
        batched
            .options(tenrec.collapser(batched.key, work::batch), pool)
            .shards(work::shard)
            .globalScope()
            .timerDelay(Duration.ofMillis(3))
            .maxRequestsInBatch(8)
            .build();
    all.add(batched);
    ChaosSubject streamed = new ChaosSubject("Streamed", world, false);
    streamed.stream =
        streamed
            .options(
                tenrec.streamCommand(streamed.key, (Thing thing) -> work.publisher(thing)),
                Isolation.semaphore(20))
            .build();
    all.add(streamed);
    return all;
  }

  private void of(CommandBuilder<Thing, Thing> builder, Isolation isolation) {
    options(builder, isolation).failIf(thing -> work.is("failIf"));
    if (retry != null) {
      builder.retry(retry);
    }
    if (hedge != null) {
      builder.hedge(hedge);
    }
    if (shares) {
      builder.cacheKey(work::rateKey);
    }
    if (hasFallback) {
      builder.fallback(
          (thing, cause) -> {
            mischief.maybe("fallback");
            return thing;
          });
    }
    command = builder.build();
  }

  private <B extends CommandOptions<B>> B options(B builder, Isolation isolation) {
    return builder
        .isolation(isolation)
        .ignoreIf(thrown -> work.is("ignoreIf"))
        .timeout(Duration.ofNanos(TIMEOUT_NANOS))
        .errorThreshold(80, 20)
        .sleepWindow(Duration.ofMillis(30))
        .property("metrics.rollingStats.timeInMilliseconds", "500")
        .property("metrics.healthSnapshot.intervalInMilliseconds", "20")
        .property("execution.isolation.stage.abandonAfterInMilliseconds", "20")
        .property("execution.isolation.thread.interruptOnFutureCancel", "true");
  }

  // Who calls.

  /** Calls by any of its doors, and waits for the ending. */
  void call() {
    Thing thing = new Thing(mischief, mischief.pick(1_000_000));
    int door = mischief.pick(8);
    if (shares) {
      withinARequest(thing, door);
    } else if (stream != null) {
      streamed(thing);
    } else if (collapser != null) {
      if (door < 2) {
        waits("execute", 2 * TIMEOUT_NANOS, () -> collapser.execute(thing));
      } else if (door < 6 || !mischief.isHostile()) {
        follow("executeAsync", 2 * TIMEOUT_NANOS, () -> collapser.executeAsync(thing));
      } else {
        joined(thing);
      }
    } else {
      through(door, thing);
    }
  }

  /** Twice, so that one of them may share the other's run. */
  private void withinARequest(Thing thing, int door) {
    try (RequestContext request = world.tenrec.openRequest()) {
      Sight first = sees("first of its request", Hold.NOTHING);
      CompletableFuture<Thing> future = cancelling(command.executeAsync(thing));
      through(door, thing);
      follow("executeAsync", -1, future, first);
    }
  }

  private void through(int door, Thing thing) {
    switch (door) {
      case 0 -> waits("execute", TIMEOUT_NANOS, () -> command.execute(thing));
      case 1 -> waits("attempt", TIMEOUT_NANOS, () -> command.with(thing).attempt());
      case 2, 3 ->
          follow("executeAsync", asyncNanos(), () -> cancelling(command.executeAsync(thing)));
      case 4 -> follow("attemptAsync", asyncNanos(), () -> command.attemptAsync(thing));
      case 5 -> single("toSingle", command.toSingle(thing));
      case 6 -> single("attemptSingle", command.attemptSingle(thing));
      default -> {
        Sight sight = sees("receiver", Hold.SHARE);
        reportEnds(sight, command.execute(thing, sight));
      }
    }
  }

  /** A fallback that no thread waits for has no deadline. */
  private long asyncNanos() {
    return hasFallback ? -1 : TIMEOUT_NANOS;
  }

  private CompletableFuture<Thing> cancelling(CompletableFuture<Thing> future) {
    if (mischief.pick(5) == 0) {
      boolean unused = future.cancel(true);
    }
    return future;
  }

  private void single(String door, Single<?> call) {
    Sight sight = sees(door, Hold.SHARE);
    reportEnds(sight, call.subscribe(value -> sight.once(), error -> sight.once()));
  }

  private Sight sees(String door, Hold hold) {
    world.waits(key + " " + door, hold);
    return issue();
  }

  private Sight issue() {
    issued.increment();
    return new Sight();
  }

  /** Of one call: whether it has got its ending, and when it began. */
  private final class Sight implements Receiver<Thing> {

    private final long start = System.nanoTime();
    private final int startRounds = world.lateness.rounds();
    private final long occupied = Mischief.occupiedNanos();
    private final AtomicInteger endings = new AtomicInteger();
    private final CountDownLatch ended = new CountDownLatch(1);

    @Override
    public void onValue(Thing value) {
      once();
      mischief.maybe("receiver");
    }

    @Override
    public void onError(Throwable error) {
      once();
      mischief.maybe("receiver");
    }

    void once() {
      int before = endings.getAndIncrement();
      if (before == 0) {
        seen.increment();
      } else if (before != DISPOSED) { // an ending may be on its way when its call is disposed of
        fault("ended twice");
      }
      ended.countDown();
    }

    void disposed() {
      if (endings.compareAndSet(0, DISPOSED)) {
        seen.increment();
      }
    }

    /** The caller has its answer now. */
    void judge(String door, long allowedNanos) {
      if (allowedNanos >= 0) {
        long own = Mischief.occupiedNanos() - occupied;
        world.lateness.add(key + " " + door, start, startRounds, allowedNanos, own);
      }
    }
  }

  private void waits(String door, long allowedNanos, Callable<?> call) {
    Sight sight = sees(door, Hold.NOTHING);
    try {
      Object unused = call.call();
    } catch (Throwable thrown) {
      // an ending
    }
    sight.judge(door, allowedNanos);
    sight.once();
  }

  private <T> void follow(String door, long allowedNanos, Supplier<CompletableFuture<T>> call) {
    Sight sight = sees(door, allowedNanos < 0 ? Hold.FALLBACK : Hold.NOTHING);
    follow(door, allowedNanos, call.get(), sight);
  }

  private <T> void follow(
      String door, long allowedNanos, CompletableFuture<T> future, Sight sight) {
    dependents.increment();
    CompletableFuture<T> unused =
        future.whenComplete(
            (value, error) -> {
              dependentsRun.increment();
              mischief.maybe("dependent");
            });
    if (get(future)) {
      sight.judge(door, allowedNanos);
      sight.once();
    } // else the world has said so
  }

  /** A dependent of one member that waits for another one, perhaps of the same batch. */
  private void joined(Thing thing) {
    Sight one = sees("first", Hold.NOTHING);
    CompletableFuture<Thing> first = collapser.executeAsync(thing);
    Sight other = sees("second", Hold.NOTHING);
    CompletableFuture<Thing> second = collapser.executeAsync(new Thing(mischief, thing.number + 1));
    CompletableFuture<Thing> both = first.thenApply(value -> second.join());
    follow("first", 2 * TIMEOUT_NANOS, first, one);
    follow("second", 2 * TIMEOUT_NANOS, second, other);
    world.waits(key + " dependent that joins another member", Hold.SHARE);
    boolean unused = get(both);
  }

  private void streamed(Thing thing) {
    Sight sight = sees("stream", Hold.SHARE);
    Disposable handle =
        stream.toFlowable(thing).subscribe(item -> consume(), error -> sight.once(), sight::once);
    reportEnds(sight, handle);
  }

  /** Errors of the JVM's own would go past what Rx passes to its subscriber. */
  private void consume() {
    try {
      mischief.maybeBriefly("onNext");
    } catch (VirtualMachineError e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Disposes now and then, of a stream that may never end as well: then nothing more is reported.
   */
  private void reportEnds(Sight sight, Disposable handle) {
    if (mischief.pick(4) == 0) {
      handle.dispose();
      sight.disposed();
      return;
    }
    boolean unused = waits(millis -> sight.ended.await(millis, TimeUnit.MILLISECONDS));
  }

  private boolean get(CompletableFuture<?> future) {
    return waits(
        millis -> {
          try {
            Object unused = future.get(millis, TimeUnit.MILLISECONDS);
          } catch (TimeoutException e) {
            return false;
          } catch (ExecutionException | RuntimeException e) {
            return true;
          }
          return true;
        });
  }

  /** Waits for milliseconds. */
  @FunctionalInterface
  private interface Waiting {
    boolean isOver(long millis) throws InterruptedException;
  }

  /** Until it is over, whatever interrupts; false if the world is lost before. */
  private boolean waits(Waiting waiting) {
    boolean interrupted = false;
    try {
      while (!world.isLost()) {
        try {
          if (waiting.isOver(100)) {
            return true;
          }
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      return false;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  void fault(String what) {
    if (faults.size() < MOST_FAULTS) {
      faults.add(world + " " + key + ": " + what);
    }
  }

  // The counts.

  CommandView view() {
    return command != null
        ? command.view()
        : collapser != null ? collapser.batchView() : stream.view();
  }

  void addFaults(List<String> to) {
    to.addAll(faults);
  }

  /** Calls issued are endings seen, and, where each is an execution, endings counted. */
  @Nullable String miscounted() {
    Account account = Account.of(view());
    if (seen.sum() != issued.sum()) {
      return "of " + issued + " calls " + seen + " received their ending";
    }
    if (dependentsRun.sum() != dependents.sum()) {
      return "of " + dependents + " dependents " + dependentsRun + " have run";
    }
    long counted = account.answers() + account.of(EventType.RESPONSE_FROM_CACHE);
    if (collapser == null && counted != issued.sum()) {
      return "of " + issued + " calls " + counted + " were counted: " + account;
    }
    return null;
  }

  @Override
  public String toString() {
    return key;
  }
}
