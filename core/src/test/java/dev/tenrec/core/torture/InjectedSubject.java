// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.CollapserBuilder;
import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.CommandOptions;
import dev.tenrec.core.Guard;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.StreamCommandBuilder;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.core.context.ContextPropagator.Captured;
import dev.tenrec.core.kit.NoSettings;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.torture.InjectedSeam.Conduct;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CommandView;
import io.reactivex.rxjava3.core.Flowable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/**
 * What is called in an {@link InjectedScenario}: a Tenrec with a trap at one seam, and in it a
 * command, a collapser or a stream whose call ends in one way.
 */
final class InjectedSubject {

  static final Duration SLEEP_WINDOW = Duration.ofMillis(50);
  private static final Duration TIMEOUT = Duration.ofMillis(100);

  private final InjectedMeans means;
  private final Way way;
  private final InjectedDoor door;
  private final InjectedEnding ending;
  private final InjectedSeam seam;
  private final Trap trap;
  private final @Nullable Conduct conduct;
  private final ManualTime time;
  private final CountDownLatch release = new CountDownLatch(1);
  private final CompletableFuture<String> releasedStage = new CompletableFuture<>();
  private final ExecutorService callbacks = Executors.newCachedThreadPool(InjectedSubject::daemon);
  final Tenrec tenrec;
  final CommandView view;
  private @Nullable Command<String, String> command;
  private @Nullable Guard guard;
  private @Nullable Collapser<String, String> collapser;
  private @Nullable StreamCommand<String, String> stream;

  /** Written by the test before a call, read by the work. */
  private volatile boolean priming;

  /** Written by the work when it holds, read by the test. */
  private volatile boolean begun;

  /** Written by the thread that brings a callback, read by the test. */
  private volatile boolean keptBack;

  /** Written when all that blocks is let go, read by late callbacks. */
  private volatile boolean over;

  InjectedSubject(
      InjectedMeans means,
      Way way,
      InjectedDoor door,
      InjectedEnding ending,
      InjectedSeam seam,
      Trap trap,
      @Nullable Conduct conduct,
      ManualTime time) {
    this.means = means;
    this.way = way;
    this.door = door;
    this.ending = ending;
    this.seam = seam;
    this.trap = trap;
    this.conduct = conduct;
    this.time = time;
    this.tenrec = build();
    occupy();
    if (door.isMember()) {
      collapser = buildCollapser();
      view = collapser.batchView();
    } else if (door.isGuard()) {
      guard = options(tenrec.guard("Subject")).build();
      view = guard.view();
    } else if (door == InjectedDoor.STREAM) {
      stream = buildStream();
      view = stream.view();
    } else {
      command = buildCommand();
      view = command.view();
    }
  }

  Command<String, String> command() {
    return command;
  }

  Collapser<String, String> collapser() {
    return collapser;
  }

  String callGuarded() {
    return ending.hasFallback()
        ? guard.call(this::plainWork, cause -> guardedFallback())
        : guard.call(this::plainWork);
  }

  CompletableFuture<String> callGuardedAsync() {
    return ending.hasFallback()
        ? guard.callAsync(this::plainWork, cause -> guardedFallback())
        : guard.callAsync(this::plainWork);
  }

  private String plainWork() throws Exception {
    return work(null);
  }

  private String guardedFallback() {
    try {
      return fallback();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a guard's fallback has no checked exceptions
    }
  }

  StreamCommand<String, String> stream() {
    return stream;
  }

  /** From now on its work fails, whatever it should do; or no more. */
  void primes(boolean primes) {
    priming = primes;
  }

  /** Whether its work is at it, and holds. */
  boolean hasBegun() {
    return begun;
  }

  /** Whether the callback executor has something that it does not begin before time goes on. */
  boolean isKeptBack() {
    return keptBack;
  }

  /** Ends work that holds a thread. */
  void releaseThreads() {
    release.countDown();
  }

  /** Ends all work, and lets late callbacks begin. */
  void letGo() {
    over = true;
    release.countDown();
    boolean unused = releasedStage.complete(InjectedEnding.VALUE);
    callbacks.shutdown();
  }

  private Tenrec build() {
    TenrecBuilder builder =
        Tenrec.builder()
            .source(new NoSettings())
            .callbacks(4, 20)
            .time(
                seam == InjectedSeam.TICKER
                    ? () -> {
                      trap.pass("reading");
                      return time.nanoTime();
                    }
                    : time,
                time);
    if (seam.hasListener()) {
      builder.listen(new InjectedListener(seam == InjectedSeam.LISTENER ? trap : null));
    }
    if (seam == InjectedSeam.PROPAGATOR) {
      builder.propagate(() -> captured());
    }
    if (conduct != null) {
      builder.callbackExecutor(this::conduct);
    }
    return builder.build();
  }

  private @Nullable Captured captured() {
    ThreadLocal<String> tenant = InjectedCaller.tenant();
    String callers = tenant.get();
    trap.pass("capture");
    if (callers == null) {
      return null;
    }
    return () -> {
      trap.pass("install");
      String before = tenant.get();
      tenant.set(callers);
      return () -> {
        if (before == null) {
          tenant.remove();
        } else {
          tenant.set(before);
        }
        trap.pass("close");
      };
    };
  }

  private void conduct(Runnable task) {
    switch (conduct) {
      case REFUSES -> throw new RejectedExecutionException("refused by a test");
      case THROWS -> throw new IllegalStateException("thrown by a test");
      case THROWS_AN_ERROR -> throw new OutOfMemoryError("thrown by a test");
      case DROPS -> keptBack = true;
      case RUNS_IT_HERE -> task.run();
      case BEGINS_LATE -> {
        keptBack = true;
        long begin = time.nanoTime() + Duration.ofSeconds(2).toNanos();
        callbacks.execute(
            () -> {
              while (!over && time.nanoTime() - begin < 0) {
                LockSupport.parkNanos(200_000);
              }
              task.run();
            });
      }
    }
  }

  private void occupy() {
    if (ending == InjectedEnding.REJECTION && way == Way.POOL) {
      Command<String, String> occupant =
          tenrec
              .command("Occupant", (String argument) -> hold(false))
              .isolation(way.isolation(1))
              .withoutTimeout()
              .build();
      if (occupant.executeAsync("x").isDone()) {
        throw new AssertionError("the occupant has ended");
      }
    }
  }

  private <B extends CommandOptions<B>> B options(B options) {
    options.isolation(way.isolation(ending == InjectedEnding.REJECTION ? room() : 10));
    boolean mayBeLate = ending.holdsWork() || trap.blocks() || conduct != null && door.isMember();
    options.timeout(mayBeLate ? TIMEOUT : Duration.ofHours(1));
    options.sleepWindow(SLEEP_WINDOW);
    if (seam == InjectedSeam.LOGGER_AT_TRANSITION) {
      options.errorThreshold(1, 1);
    }
    if (ending.isShortCircuit()) {
      options.property("circuitBreaker.forceOpen", "true");
    }
    return options;
  }

  private int room() {
    return way == Way.POOL ? 1 : 0;
  }

  private Command<String, String> buildCommand() {
    CommandBuilder<String, String> builder =
        switch (way) {
          case STAGE ->
              seam == InjectedSeam.CANCELLER
                  ? tenrec.asyncCommand("Subject", (String s, Call call) -> stage(call))
                  : tenrec.asyncCommand("Subject", (String s) -> stage(null));
          default ->
              seam == InjectedSeam.CANCELLER
                  ? tenrec.command("Subject", (String s, Call call) -> work(call))
                  : tenrec.command("Subject", (String s) -> work(null));
        };
    if (ending.hasFallback()) {
      builder.fallback((argument, cause) -> fallback());
    }
    means.set(builder);
    return options(builder).build();
  }

  private Collapser<String, String> buildCollapser() {
    CollapserBuilder<String, String> builder =
        way == Way.STAGE
            ? tenrec.asyncCollapser(
                "Subject",
                (List<String> all) -> stage(null).thenApply(value -> Map.of(all.get(0), value)))
            : tenrec.collapser("Subject", (List<String> all) -> Map.of(all.get(0), work(null)));
    if (ending.hasFallback()) {
      builder.fallback((all, cause) -> Map.of(all.get(0), fallback()));
    }
    return options(builder.globalScope().maxRequestsInBatch(1)).build();
  }

  private StreamCommand<String, String> buildStream() {
    StreamCommandBuilder<String, String> builder =
        seam == InjectedSeam.CANCELLER
            ? tenrec.streamCommand("Subject", (String s, Call call) -> items(call))
            : tenrec.streamCommand("Subject", (String s) -> items(null));
    if (ending.hasFallback()) {
      builder.fallback((argument, cause) -> Flowable.just(fallback()));
    }
    return options(builder).build();
  }

  private String work(@Nullable Call call) throws Exception {
    if (priming) {
      throw new IOException("failure");
    }
    switch (ending) {
      case FAILURE:
      case FAILURE_WITH_FALLBACK:
      case FALLBACK_FAILURE:
        throw new IOException("failure");
      case BAD_REQUEST:
        throw new BadRequestException("bad");
      case TIMEOUT:
      case TIMEOUT_WITH_FALLBACK:
      case CANCELLATION:
      case CLOSE:
        cancellable(call);
        return hold(true);
      default:
        return InjectedEnding.VALUE;
    }
  }

  private CompletionStage<String> stage(@Nullable Call call) {
    if (!priming && ending.holdsWork()) {
      cancellable(call);
      begun = true;
      return releasedStage.thenApply(value -> value);
    }
    try {
      return CompletableFuture.completedFuture(work(call));
    } catch (Exception e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private Publisher<String> items(@Nullable Call call) throws Exception {
    if (!priming && ending.holdsWork()) {
      cancellable(call);
      begun = true;
      return Flowable.never();
    }
    return Flowable.just(work(call));
  }

  private void cancellable(@Nullable Call call) {
    if (call != null) {
      call.onCancel(() -> trap.pass("canceller"));
    }
  }

  private String hold(boolean subject) throws InterruptedException {
    if (subject && way == Way.SEMAPHORE && ending.timesOut()) {
      time.advance(TIMEOUT); // nobody can free its caller before it returns
      return InjectedEnding.VALUE;
    }
    begun |= subject;
    if (!release.await(Uninterruptibly.HANGS_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("nobody lets it go");
    }
    return InjectedEnding.VALUE;
  }

  private String fallback() throws IOException {
    if (ending == InjectedEnding.FALLBACK_FAILURE) {
      throw new IOException("fallback failure");
    }
    return InjectedEnding.FALLBACK;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(null, task, "late-callback", 0, false);
    thread.setDaemon(true);
    return thread;
  }
}
