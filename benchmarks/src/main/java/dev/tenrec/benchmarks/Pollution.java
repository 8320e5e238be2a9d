// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Guard;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.work.Call;
import io.reactivex.rxjava3.disposables.Disposable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes a JVM see what an application's does, before one command is measured in it: several kinds
 * of work and of fallback, every door and isolation, failures, refusals, time-outs, open circuits,
 * caches, batches, watchers and listeners. A command that is alone is inlined into its caller; in
 * real life none is.
 */
final class Pollution {

  private static final int CALLS = 2_000;

  /** Guarded by the class: the states of several threads may be set up at once. */
  private static boolean done;

  private final Tenrec tenrec;

  private Pollution(Tenrec tenrec) {
    this.tenrec = tenrec;
  }

  /**
   * Once in this JVM, however often it is asked for; to be called by a set-up of Tenrec's alone.
   */
  static synchronized void ofThisJvm() {
    if (!done) {
      run();
      done = true;
    }
  }

  /**
   * In a Tenrec that has a listener and in one that has none. Both are closed afterwards: what is
   * left behind is what the JVM has seen, no thread and no setting. Takes about a second.
   */
  static void run() {
    AtomicLong reported = new AtomicLong();
    try (Tenrec listened = Tenrec.builder().listen(new Listening(reported)).build()) {
      all(listened);
    }
    if (reported.get() == 0) {
      throw new IllegalStateException("no listener was notified of the pollution's calls");
    }
    try (Tenrec plain = Tenrec.create()) {
      all(plain);
    }
  }

  private static void all(Tenrec tenrec) {
    Pollution pollution = new Pollution(tenrec);
    for (int kind = 0; kind < 4; kind++) {
      pollution.everyDoor(pollution.ofKind(kind));
    }
    pollution.otherForms();
    pollution.otherIsolations();
    pollution.refusals();
    pollution.timeouts();
    pollution.requests();
    pollution.batches();
    pollution.watching();
  }

  private Command<String, String> ofKind(int kind) {
    CommandBuilder<String, String> builder =
        switch (kind) {
          case 0 -> tenrec.command("Kind0", (String s) -> s);
          case 1 -> tenrec.command("Kind1", ProtectedCall::answer);
          case 2 -> tenrec.command("Kind2", (String s) -> s.hashCode() % 3 == 0 ? s : down(s));
          default -> tenrec.command("Kind3", ProtectedCall::fail);
        };
    builder.isolation(Isolation.semaphore(10)).withoutCircuitBreaker();
    switch (kind) {
      case 0 -> builder.fallback((s, cause) -> s);
      case 1 -> builder.fallback((s, cause) -> "other");
      case 2 -> builder.fallback((s, cause) -> String.valueOf(cause.getMessage()));
      default -> builder.fallback((s, cause) -> cause == ProtectedCall.DOWN ? s : "?");
    }
    return builder.build();
  }

  private static String down(String question) {
    throw new IllegalArgumentException(question);
  }

  private void everyDoor(Command<String, String> command) {
    for (int i = 0; i < CALLS; i++) {
      String question = "q" + (i & 127);
      require(command.execute(question));
      require(command.attempt(question).value());
      require(command.executeAsync(question).join());
      require(command.toSingle(question).blockingGet());
      require(command.toMaybe(question).blockingGet());
    }
  }

  private void otherForms() {
    Command<String, String> seen =
        tenrec
            .command("Seen", (String s, Call call) -> s + call.commandKey())
            .isolation(Isolation.semaphore(10))
            .build();
    Command<String, String> stage =
        tenrec
            .asyncCommand("Stage", (String s) -> CompletableFuture.completedFuture(s))
            .isolation(Isolation.semaphore(10))
            .build();
    Command<String, String> judged =
        tenrec
            .command("Judged", Pollution::choosy)
            .isolation(Isolation.semaphore(10))
            .withoutCircuitBreaker()
            .ignore(BadRequestException.class)
            .failIf(answer -> answer.endsWith("1"))
            .fallback((s, cause) -> "judged")
            .build();
    Command<String, String> valued =
        tenrec
            .command("Valued", ProtectedCall::fail)
            .isolation(Isolation.semaphore(10))
            .withoutCircuitBreaker()
            .fallbackValue("value")
            .build();
    Guard guard = tenrec.guard("Guard").semaphore(10).withoutCircuitBreaker().build();
    for (int i = 0; i < CALLS; i++) {
      String question = "q" + (i & 127);
      require(seen.execute(question));
      require(stage.executeAsync(question).join());
      require(stage.execute(question));
      require(judged.attempt(question));
      require(valued.execute(question));
      require(guard.call(() -> question));
      require(guard.call(() -> down(question), cause -> "guarded"));
    }
  }

  private static String choosy(String question) {
    if (question.endsWith("7")) {
      throw new BadRequestException(question);
    }
    return question;
  }

  private void otherIsolations() {
    Command<String, String> pooled =
        tenrec
            .command("Pooled", ProtectedCall::answer)
            .isolation(Isolation.threadPool().coreSize(4).queueSize(100))
            .build();
    Command<String, String> failing =
        tenrec
            .command("PooledFailing", ProtectedCall::fail)
            .isolation(Isolation.threadPool().coreSize(4).queueSize(100))
            .withoutCircuitBreaker()
            .fallback((s, cause) -> s)
            .build();
    for (int i = 0; i < CALLS / 5; i++) {
      require(pooled.execute("q"));
      require(pooled.executeAsync("q").join());
      require(failing.execute("q"));
      require(failing.toSingle("q").blockingGet());
    }
  }

  private void refusals() {
    Command<String, String> open =
        tenrec
            .command("Open", ProtectedCall::fail)
            .isolation(Isolation.semaphore(10))
            .property("circuitBreaker.forceOpen", "true")
            .fallback((s, cause) -> s)
            .build();
    Command<String, String> full =
        tenrec
            .command("Full", ProtectedCall::answer)
            .isolation(Isolation.semaphore(0))
            .withoutCircuitBreaker()
            .fallback((s, cause) -> s)
            .build();
    Command<String, String> bare =
        tenrec
            .command("Bare", ProtectedCall::fail)
            .isolation(Isolation.semaphore(10))
            .errorThreshold(1, 1)
            .build();
    for (int i = 0; i < CALLS; i++) {
      require(open.execute("q"));
      require(full.execute("q"));
      require(bare.attempt("q").error());
    }
  }

  private void timeouts() {
    Command<String, String> late =
        tenrec
            .command("Late", Pollution::pause)
            .isolation(Isolation.semaphore(10))
            .timeout(Duration.ofMillis(1))
            .withoutCircuitBreaker()
            .fallback((s, cause) -> s)
            .build();
    Command<String, String> lateElsewhere =
        tenrec
            .command("LateElsewhere", Pollution::pause)
            .isolation(Isolation.threadPool().coreSize(10))
            .timeout(Duration.ofMillis(1))
            .withoutCircuitBreaker()
            .fallback((s, cause) -> s)
            .build();
    for (int i = 0; i < 10; i++) {
      require(late.execute("q"));
      require(lateElsewhere.execute("q"));
      require(lateElsewhere.executeAsync("q").join());
    }
  }

  private static String pause(String question) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(3));
    return question;
  }

  private void requests() {
    Command<String, String> cached =
        tenrec
            .command("Cached", ProtectedCall::answer)
            .isolation(Isolation.semaphore(10))
            .cacheKey(s -> s)
            .build();
    for (int request = 0; request < 10; request++) {
      try (RequestContext context = tenrec.openRequest()) {
        for (int i = 0; i < CALLS / 10; i++) {
          require(cached.execute("q" + (i & 15)));
        }
        require(context.log());
      }
    }
  }

  private void batches() {
    var batched =
        tenrec
            .<String, String>collapser(
                "Batched",
                all ->
                    all.stream().distinct().collect(Collectors.toMap(Function.identity(), s -> s)))
            .maxRequestsInBatch(2)
            .timerDelay(Duration.ofMillis(1))
            .globalScope()
            .build();
    for (int i = 0; i < CALLS / 5; i++) { // full batches, which wait for no timer
      require(batched.executeAsync("a"));
      require(batched.executeAsync("b").join());
    }
    for (int i = 0; i < 10; i++) { // the timer's
      require(batched.execute("a"));
    }
  }

  private void watching() {
    Command<String, String> watched =
        tenrec.command("Watched", ProtectedCall::answer).isolation(Isolation.semaphore(10)).build();
    Disposable watcher =
        watched.metricStreams().counts(Duration.ofMillis(100)).subscribe(Pollution::require);
    for (int i = 0; i < CALLS; i++) {
      require(watched.execute("q"));
    }
    require(watched.view().callerLatency());
    watcher.dispose();
  }

  /** Listens to some of it, as listeners do. */
  private record Listening(AtomicLong reported) implements CommandListener {
    @Override
    public void onStart(ListenedCall call) {
      reported.lazySet(reported.get() + call.commandKey().length());
    }

    @Override
    public void onSuccess(ListenedCall call, @Nullable Object value) {
      reported.lazySet(reported.get() + 1);
    }

    @Override
    public void onFallbackStart(ListenedCall call, Throwable cause) {
      reported.lazySet(reported.get() + 1);
    }
  }

  private static void require(@Nullable Object answer) {
    if (answer == null) {
      throw new IllegalStateException("a call of the pollution had no answer");
    }
  }
}
