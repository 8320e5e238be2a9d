// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.CommandOptions;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.isolation.VirtualThreads;
import dev.tenrec.core.kit.Account;
import dev.tenrec.core.kit.SchedulingNoise;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.core.torture.ChaosWork.Thing;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.view.CommandView;
import io.reactivex.rxjava3.disposables.Disposable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** One command, collapser or stream of a {@link ChaosWorld}, and what its callers saw of it. */
final class ChaosSubject {

  static final long TIMEOUT_NANOS = TimeUnit.MILLISECONDS.toNanos(40);
  private static final long SCHEDULING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long GUARD_SECONDS = 15;
  private static final int MOST_FAULTS = 5;
  private static final int DISPOSED = 1_000;

  private final String key;
  private final ChaosWorld world;
  private final Mischief mischief;
  private final SchedulingNoise noise;
  private final boolean hasFallback;
  private @Nullable Command<Thing, Thing> command;
  private @Nullable Collapser<Thing, Thing> collapser;
  private @Nullable StreamCommand<Thing, Thing> stream;

  // Raised by callers and by those that tell them, read in the end.
  private final LongAdder issued = new LongAdder();
  private final LongAdder seen = new LongAdder();
  private final LongAdder dependents = new LongAdder();
  private final LongAdder dependentsRun = new LongAdder();
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();

  private ChaosSubject(String key, ChaosWorld world, SchedulingNoise noise, boolean hasFallback) {
    this.key = key;
    this.world = world;
    this.mischief = world.mischief;
    this.noise = noise;
    this.hasFallback = hasFallback;
  }

  static List<ChaosSubject> all(ChaosWorld world, SchedulingNoise noise) {
    List<ChaosSubject> all = new ArrayList<>();
    Tenrec tenrec = world.tenrec;
    ChaosWork work = new ChaosWork(world.mischief);
    Isolation pool = Isolation.threadPool().coreSize(6).queueSize(3);
    for (boolean fallback : new boolean[] {true, false}) {
      String suffix = fallback ? "WithFallback" : "";
      ChaosSubject pooled = new ChaosSubject("Pooled" + suffix, world, noise, fallback);
      pooled.of(
          tenrec.command(pooled.key, (Thing thing, Call call) -> work.work(thing, call)), pool);
      all.add(pooled);
      ChaosSubject here = new ChaosSubject("Here" + suffix, world, noise, fallback);
      here.of(
          tenrec.command(here.key, (Thing thing) -> work.work(thing, null)),
          Isolation.semaphore(20));
      all.add(here);
      ChaosSubject staged = new ChaosSubject("Staged" + suffix, world, noise, fallback);
      staged.of(
          tenrec.asyncCommand(staged.key, (Thing thing, Call call) -> work.stage(thing, call)),
          Isolation.semaphore(20));
      all.add(staged);
    }
    if (VirtualThreads.supported()) {
      ChaosSubject virtual = new ChaosSubject("Virtual", world, noise, false);
      virtual.of(
          tenrec.command(virtual.key, (Thing thing, Call call) -> work.work(thing, call)),
          Isolation.virtualThreads(20));
      all.add(virtual);
    }
    ChaosSubject batched = new ChaosSubject("Batched", world, noise, false);
    batched.collapser =
        options(tenrec.collapser(batched.key, work::batch), pool)
            .globalScope()
            .timerDelay(Duration.ofMillis(3))
            .maxRequestsInBatch(8)
            .build();
    all.add(batched);
    ChaosSubject streamed = new ChaosSubject("Streamed", world, noise, false);
    streamed.stream =
        options(
                tenrec.streamCommand(streamed.key, (Thing thing) -> work.publisher(thing)),
                Isolation.semaphore(20))
            .build();
    all.add(streamed);
    return all;
  }

  private void of(CommandBuilder<Thing, Thing> builder, Isolation isolation) {
    options(builder, isolation);
    if (hasFallback) {
      builder.fallback(
          (thing, cause) -> {
            mischief.maybe("fallback");
            return thing;
          });
    }
    command = builder.build();
  }

  private static <B extends CommandOptions<B>> B options(B builder, Isolation isolation) {
    return builder
        .isolation(isolation)
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
    int door = mischief.pick(6);
    if (stream != null) {
      streamed(thing);
    } else if (collapser != null) {
      if (door < 2) {
        waits("execute", 2 * TIMEOUT_NANOS, () -> collapser.execute(thing));
      } else if (door < 5 || !mischief.isHostile()) {
        follow("executeAsync", 2 * TIMEOUT_NANOS, collapser.executeAsync(thing), issue());
      } else {
        joined(thing);
      }
    } else if (door == 0) {
      waits("execute", TIMEOUT_NANOS, () -> command.execute(thing));
    } else if (door == 1) {
      waits("attempt", TIMEOUT_NANOS, () -> command.attempt(thing));
    } else if (door < 4) {
      Sight sight = issue();
      CompletableFuture<Thing> future = command.executeAsync(thing);
      if (mischief.pick(5) == 0) {
        boolean unused = future.cancel(true);
      }
      follow("executeAsync", hasFallback ? -1 : TIMEOUT_NANOS, future, sight);
    } else if (door == 4) {
      Sight sight = issue();
      Disposable handle =
          command.toSingle(thing).subscribe(value -> sight.once(), error -> sight.once());
      tellingEnds("toSingle", sight, handle);
    } else {
      Sight sight = issue();
      tellingEnds("receiver", sight, command.execute(thing, sight));
    }
  }

  private Sight issue() {
    issued.increment();
    return new Sight();
  }

  /** Of one call: whether it has been told its ending, and when it began. */
  private final class Sight implements Receiver<Thing> {

    private final long start = System.nanoTime();
    private final long occupied = Mischief.occupiedNanos();
    private final AtomicInteger endings = new AtomicInteger();
    private final CountDownLatch told = new CountDownLatch(1);

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
        fault("told twice");
      }
      told.countDown();
    }

    void disposed() {
      if (endings.compareAndSet(0, DISPOSED)) {
        seen.increment();
      }
    }

    /** The caller has its answer now: not too late? */
    void judge(String door, long allowedNanos) {
      if (allowedNanos < 0 || !noise.isWarm(start)) {
        return;
      }
      long now = System.nanoTime();
      long own = Mischief.occupiedNanos() - occupied;
      long late = now - start - allowedNanos - own;
      if (late > SCHEDULING_NANOS) {
        long excused = SCHEDULING_NANOS + 3 * noise.worstNanos(start, now);
        if (late > excused) {
          fault(
              door
                  + " was "
                  + late / 1_000_000
                  + " ms late, of which "
                  + excused / 1_000_000
                  + " ms may be scheduling");
        }
      }
    }
  }

  private void waits(String door, long allowedNanos, java.util.concurrent.Callable<?> call) {
    Sight sight = issue();
    try {
      Object unused = call.call();
    } catch (Throwable thrown) {
      // an ending
    }
    sight.judge(door, allowedNanos);
    sight.once();
  }

  private void follow(
      String door, long allowedNanos, CompletableFuture<Thing> future, Sight sight) {
    dependents.increment();
    CompletableFuture<Thing> unused =
        future.whenComplete(
            (value, error) -> {
              dependentsRun.increment();
              mischief.maybe("dependent");
            });
    if (!get(future)) {
      fault(door + " has no ending after " + GUARD_SECONDS + " s");
      return;
    }
    sight.judge(door, allowedNanos);
    sight.once();
  }

  /** A dependent of one member that waits for another one, perhaps of the same batch. */
  private void joined(Thing thing) {
    Sight one = issue();
    CompletableFuture<Thing> first = collapser.executeAsync(thing);
    Sight other = issue();
    CompletableFuture<Thing> second = collapser.executeAsync(new Thing(mischief, thing.number + 1));
    CompletableFuture<Thing> both = first.thenApply(value -> second.join());
    follow("first", 2 * TIMEOUT_NANOS, first, one);
    follow("second", 2 * TIMEOUT_NANOS, second, other);
    if (!get(both)) {
      fault("the dependent that joins another member has no ending");
    }
  }

  private void streamed(Thing thing) {
    Sight sight = issue();
    Disposable handle =
        stream.toFlowable(thing).subscribe(item -> consume(), error -> sight.once(), sight::once);
    tellingEnds("stream", sight, handle);
  }

  /** Errors of the JVM's own would go past what Rx tells its subscriber. */
  private void consume() {
    try {
      mischief.maybeBriefly("onNext");
    } catch (VirtualMachineError e) {
      throw new IllegalStateException(e);
    }
  }

  /** Disposes now and then, of a stream that may never end as well: then nothing more is told. */
  private void tellingEnds(String door, Sight sight, Disposable handle) {
    if (mischief.pick(4) == 0) {
      handle.dispose();
      sight.disposed();
      return;
    }
    try {
      Uninterruptibly.await(sight.told, GUARD_SECONDS);
    } catch (AssertionError tooLong) {
      fault(door + " has not been told an ending after " + GUARD_SECONDS + " s");
    }
  }

  private static boolean get(CompletableFuture<Thing> future) {
    boolean interrupted = false;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(GUARD_SECONDS);
    try {
      while (true) {
        try {
          Thing unused = future.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
          return true;
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (TimeoutException e) {
          return false;
        } catch (ExecutionException | RuntimeException e) {
          return true;
        }
      }
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

  // The books.

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
      return "of " + issued + " calls " + seen + " were told their ending";
    }
    if (dependentsRun.sum() != dependents.sum()) {
      return "of " + dependents + " dependents " + dependentsRun + " have run";
    }
    if (collapser == null && account.answers() != issued.sum()) {
      return "of " + issued + " calls " + account.answers() + " were counted: " + account;
    }
    return null;
  }

  @Override
  public String toString() {
    return key;
  }
}
