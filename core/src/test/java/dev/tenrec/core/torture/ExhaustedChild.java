// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Account;
import dev.tenrec.core.kit.ChildJvm;
import dev.tenrec.core.kit.NoSettings;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.view.CommandView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The main class of a JVM that runs out of memory, or of threads, in waves, while calls are made
 * through every door. Once it has them again all calls have to have ended, new ones have to work,
 * and the counts have to be exact. Says what was not so, and exits with 1.
 */
final class ExhaustedChild {

  private static final String LOST = "no ending";
  private static final int CALLERS = 8;
  private static final long GUARD_SECONDS = PatientWaits.seconds();

  /** A call that nobody waits for and that has not got its ending. */
  private static final int OPEN = 1;

  private static final int ENDED = 2;

  private final Tenrec tenrec;
  private final List<Command<Integer, Integer>> commands = new ArrayList<>();
  private final Collapser<Integer, Integer> collapser;

  // By caller: everything is allocated before there is nothing left to allocate.
  private final AtomicLongArray issued = new AtomicLongArray(CALLERS * 16);
  private final AtomicLongArray ended = new AtomicLongArray(CALLERS * 16);
  private final AtomicLongArray neverBegun = new AtomicLongArray(CALLERS * 16);

  /** What each caller is at, as the index of its command and door; -1 between two calls. */
  private final AtomicIntegerArray at = new AtomicIntegerArray(CALLERS * 16);

  /** Calls that may not have begun, for there was no memory for it. */
  private final AtomicLong outOfMemory = new AtomicLong();

  private final AtomicLong endedTwice = new AtomicLong();

  private volatile boolean pause;
  private volatile boolean over;

  private ExhaustedChild(int callbackQueue) {
    tenrec = Tenrec.builder().source(new NoSettings()).callbacks(4, callbackQueue).build();
    Isolation pool = Isolation.threadPool().coreSize(3).queueSize(5);
    add(tenrec.command("Pooled", (Integer i) -> work(i)), pool);
    add(
        tenrec.command("PooledWithFallback", (Integer i) -> work(i)).fallback((i, cause) -> -i),
        pool);
    add(tenrec.command("Here", (Integer i) -> work(i)), Isolation.semaphore(20));
    add(tenrec.asyncCommand("Staged", (Integer i) -> stage(i)), Isolation.semaphore(20));
    Hedge hedge = Hedge.after(Duration.ofMillis(5)).budget(100, 1_000);
    add(tenrec.command("Hedged", (Integer i) -> work(i)).hedge(hedge), pool);
    add(
        tenrec.asyncCommand("HedgedStage", (Integer i) -> stage(i)).hedge(hedge),
        Isolation.semaphore(20));
    Retry retry = Retry.attempts(2).backoff(Duration.ZERO, Duration.ofMillis(2)).budget(100, 1_000);
    add(
        tenrec
            .command("AttemptTimed", (Integer i) -> work(i))
            .retry(retry.attemptTimeout(Duration.ofMillis(20))),
        pool);
    add(
        tenrec
            .command("HedgedAndAttemptTimed", (Integer i) -> work(i))
            .hedge(hedge)
            .retry(
                Retry.attempts(4)
                    .backoff(Duration.ZERO, Duration.ofMillis(2))
                    .budget(100, 1_000)
                    .attemptTimeout(Duration.ofMillis(15))),
        pool);
    collapser =
        tenrec
            .collapser("Batched", ExhaustedChild::batch)
            .isolation(pool)
            .globalScope()
            .timerDelay(Duration.ofMillis(1))
            .timeout(Duration.ofMillis(200))
            .withoutCircuitBreaker()
            .build();
    for (int i = 0; i < CALLERS; i++) {
      at.set(i * 16, -1);
    }
  }

  private void add(CommandBuilder<Integer, Integer> builder, Isolation isolation) {
    commands.add(
        builder
            .isolation(isolation)
            .timeout(Duration.ofMillis(50))
            .withoutCircuitBreaker()
            .property("execution.isolation.stage.abandonAfterInMilliseconds", "20")
            .build());
  }

  private static Integer work(Integer i) throws InterruptedException {
    if (i % 10 == 0) {
      Thread.sleep(100); // late
    }
    return i;
  }

  private static CompletableFuture<Integer> stage(Integer i) {
    return i % 10 == 0 ? new CompletableFuture<>() : CompletableFuture.completedFuture(i);
  }

  private static Map<Integer, Integer> batch(List<Integer> all) {
    Map<Integer, Integer> answers = new HashMap<>();
    all.forEach(one -> answers.put(one, one));
    return answers;
  }

  private void calls(int caller) {
    int slot = caller * 16;
    for (int i = caller; !over; i++) {
      if (pause) {
        LockSupport.parkNanos(1_000_000);
        continue;
      }
      int door = i % 5;
      Command<Integer, Integer> command = commands.get(i / 5 % commands.size());
      at.set(slot, i);
      issued.incrementAndGet(slot); // here, for already boxing the argument may find no memory
      try {
        call(slot, door, command, i);
      } catch (Throwable thrown) { // an ending; or there was no memory to begin with
        if (thrown instanceof OutOfMemoryError) {
          outOfMemory.incrementAndGet();
        }
        ended.incrementAndGet(slot);
      }
      at.set(slot, -1);
    }
  }

  /** Raises ended once, or throws. */
  private void call(int slot, int door, Command<Integer, Integer> command, Integer i)
      throws InterruptedException {
    if (door == 4) {
      neverBegun.incrementAndGet(slot); // a member is no execution
      Integer unused = collapser.execute(i);
      ended.incrementAndGet(slot);
      return;
    }
    if (door == 3) {
      Counting counting;
      try {
        counting = new Counting();
      } catch (Throwable thrown) {
        neverBegun.incrementAndGet(slot);
        throw thrown;
      }
      var unused = command.execute(i, counting);
      while (counting.state != ENDED) {
        LockSupport.parkNanos(100_000);
      }
      ended.incrementAndGet(slot);
      return;
    }
    if (door == 2) {
      CompletableFuture<Integer> future = command.executeAsync(i);
      while (!future.isDone()) {
        LockSupport.parkNanos(100_000);
      }
    } else if (door == 1) {
      var unused = command.attempt(i);
    } else {
      Integer unused = command.execute(i);
    }
    ended.incrementAndGet(slot);
  }

  private final class Counting implements Receiver<Integer> {

    private volatile int state = OPEN;

    @Override
    public void onValue(Integer value) {
      once();
    }

    @Override
    public void onError(Throwable error) {
      once();
    }

    private void once() {
      if (state == ENDED) {
        endedTwice.incrementAndGet();
      }
      state = ENDED;
    }
  }

  /** Everything is there again: what has not ended by the guard is lost. */
  private void awaitEndings() {
    pause = true;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(GUARD_SECONDS);
    for (int caller = 0; caller < CALLERS; caller++) {
      while (at.get(caller * 16) != -1) {
        if (System.nanoTime() - end > 0) {
          int i = at.get(caller * 16);
          throw new AssertionError(
              LOST
                  + " for a call of "
                  + (i % 5 == 4 ? "Batched" : commands.get(i / 5 % commands.size()).key())
                  + " by door "
                  + List.of("execute", "attempt", "executeAsync", "receiver", "member").get(i % 5));
        }
        LockSupport.parkNanos(1_000_000);
      }
    }
    for (Command<Integer, Integer> command : commands) {
      awaitQuiet(command.view(), end);
    }
    awaitQuiet(collapser.batchView(), end);
  }

  private static void awaitQuiet(CommandView view, long end) {
    while (view.concurrency() != 0 || view.stillBusy() != 0) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError(
            view.key()
                + " has "
                + view.concurrency()
                + " permits in use, "
                + view.stillBusy()
                + " still busy");
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** With all there is, each command answers; on a busy machine perhaps not the first call. */
  private void assertWorks() throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(GUARD_SECONDS);
    for (Command<Integer, Integer> command : commands) {
      Integer answer;
      do {
        answer = answerInTime(command.key(), command.executeAsync(1), end);
        issued.incrementAndGet(0);
        ended.incrementAndGet(0);
      } while (answer == null);
      if (answer != 1) {
        throw new AssertionError(command.key() + " does not work again: it answers " + answer);
      }
    }
    Integer member;
    do {
      member = answerInTime("Batched", collapser.executeAsync(1), end);
    } while (member == null);
    if (member != 1) {
      throw new AssertionError("Batched does not work again: it answers " + member);
    }
  }

  /** Null if the command had not enough of the processor to answer within its time-out. */
  private static @Nullable Integer answerInTime(
      String key, CompletableFuture<Integer> call, long end) throws Exception {
    try {
      int answer = call.get(GUARD_SECONDS, TimeUnit.SECONDS);
      boolean fallback = answer == -1;
      return fallback && System.nanoTime() - end < 0 ? null : answer;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CommandTimeoutException && System.nanoTime() - end < 0) {
        return null;
      }
      throw new AssertionError(key + " does not work again: " + e, e);
    } catch (TimeoutException e) {
      throw new AssertionError(key + " does not work again: " + e, e);
    }
  }

  /** The last are counted by threads that nobody waits for. */
  private void awaitBooks(String after) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(GUARD_SECONDS);
    while (true) {
      try {
        assertBooks(after);
        return;
      } catch (AssertionError notYet) {
        if (System.nanoTime() - end > 0) {
          throw notYet;
        }
      }
      LockSupport.parkNanos(10_000_000);
    }
  }

  private void assertBooks(String after) {
    long calls = sum(issued);
    if (sum(ended) != calls) {
      throw new AssertionError(after + ": of " + calls + " calls " + sum(ended) + " have ended");
    }
    if (endedTwice.get() != 0) {
      throw new AssertionError(after + ": ended twice: " + endedTwice);
    }
    long counted = 0;
    StringBuilder accounts = new StringBuilder();
    for (Command<Integer, Integer> command : commands) {
      Account account = Account.of(command.view());
      account.assertBalanced();
      counted += account.answers();
      accounts.append('\n').append(account);
    }
    // what ran out before there was an execution cannot have been counted
    long most = calls - sum(neverBegun);
    if (counted > most || counted < most - outOfMemory.get()) {
      throw new AssertionError(
          after
              + ": of "
              + most
              + " calls "
              + counted
              + " were counted, "
              + outOfMemory
              + " may have been thrown before they began"
              + accounts);
    }
    System.out.println(after + ": " + calls + " calls, " + counted + " counted");
  }

  private static long sum(AtomicLongArray counts) {
    long sum = 0;
    for (int i = 0; i < counts.length(); i++) {
      sum += counts.get(i);
    }
    return sum;
  }

  // What runs out.

  private interface Wave {
    /**
     * Takes all there is, keeps it for a moment, and gives it back.
     *
     * @param whenOut runs when there is none left
     * @return why that failed; null if it did not
     */
    @Nullable String run(Runnable whenOut);
  }

  private static volatile @Nullable Object ballast;

  private static @Nullable String takeMemory(Runnable whenOut) {
    Object[] chain = null;
    int size = 1 << 20;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
    while (size >= 64 && System.nanoTime() - end < 0) {
      try {
        chain = new Object[] {chain, new byte[size]};
        ballast = chain;
      } catch (OutOfMemoryError e) {
        size /= 4;
      }
    }
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    ballast = null;
    return null;
  }

  private static @Nullable String takeThreads(Runnable whenOut) {
    List<Thread> taken = new ArrayList<>();
    boolean out = false;
    try {
      for (int i = 0; i < 5_000 && !out; i++) {
        Thread thread = new Thread(null, ExhaustedChild::hold, "hog", 64 << 10, false);
        thread.setDaemon(true);
        try {
          thread.start();
          taken.add(thread);
        } catch (OutOfMemoryError e) {
          out = true;
        }
      }
      whenOut.run();
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
      while (System.nanoTime() - end < 0) { // and whatever another thread gives back meanwhile
        Thread thread = new Thread(null, ExhaustedChild::hold, "hog", 64 << 10, false);
        thread.setDaemon(true);
        try {
          thread.start();
          taken.add(thread);
        } catch (OutOfMemoryError e) {
          LockSupport.parkNanos(200_000);
        }
      }
    } finally {
      taken.forEach(Thread::interrupt);
    }
    for (Thread thread : taken) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    return out ? null : "5,000 threads were no limit";
  }

  private static void hold() {
    try {
      Thread.sleep(TimeUnit.MINUTES.toMillis(5));
    } catch (InterruptedException e) {
      // given back
    }
  }

  private void play(Wave wave, int waves, boolean beginsWhenOut) throws Exception {
    pause = true;
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      int caller = i;
      Thread thread = new Thread(() -> calls(caller), "caller-" + i);
      thread.setDaemon(true);
      thread.start();
      callers.add(thread);
    }
    for (int i = 1; i <= waves; i++) {
      if (!beginsWhenOut) {
        pause = false;
        // at first long enough for all classes to be loaded, which without memory fails for ever
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(i == 1 ? 1_000 : 100));
      }
      String failed = wave.run(() -> pause = false);
      if (failed != null) {
        throw new AssertionError(failed);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
      awaitEndings();
      assertWorks();
      awaitBooks("after wave " + i);
    }
    over = true;
    for (Thread caller : callers) {
      caller.join(TimeUnit.SECONDS.toMillis(GUARD_SECONDS));
    }
    List<StillRunning> left = tenrec.close(Duration.ofSeconds(GUARD_SECONDS));
    awaitNoThread();
    if (!left.isEmpty() || tenrec.liveThreads() != 0) {
      throw new AssertionError("after close: " + left + ", threads " + tenrec.liveThreads());
    }
  }

  /** The last may take longer to end than closing waits for that. */
  private void awaitNoThread() {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(GUARD_SECONDS);
    while (tenrec.liveThreads() != 0 && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  /**
   * Plays.
   *
   * @param arguments {@code heap} or {@code threads}, and how many waves
   */
  public static void main(String[] arguments) {
    try {
      int waves = Integer.parseInt(arguments[1]);
      switch (arguments[0]) {
        case "heap":
          new ExhaustedChild(100).play(ExhaustedChild::takeMemory, waves, false);
          break;
        case "threads": // each time a Tenrec that has started none
          for (int i = 0; i < waves; i++) {
            new ExhaustedChild(i % 2 * 100).play(ExhaustedChild::takeThreads, 1, true);
          }
          break;
        default:
          throw new IllegalArgumentException(arguments[0]);
      }
      System.out.println(ChildJvm.WELL);
      System.exit(0);
    } catch (Throwable thrown) {
      ballast = null;
      thrown.printStackTrace(System.out);
      if (String.valueOf(thrown.getMessage()).startsWith(LOST)) {
        printStacks();
      }
      System.exit(1);
    }
  }

  private static void printStacks() {
    Thread.getAllStackTraces()
        .forEach(
            (thread, stack) -> {
              if (thread.getName().startsWith("caller") || thread.getName().startsWith("tenrec")) {
                System.out.println(thread.getName() + " " + thread.getState());
                for (int i = 0; i < Math.min(8, stack.length); i++) {
                  System.out.println("    " + stack[i]);
                }
              }
            });
  }
}
