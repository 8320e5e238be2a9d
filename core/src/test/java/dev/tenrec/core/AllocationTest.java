// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.view.InventoryListener;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.OwnThread;
import io.reactivex.rxjava3.disposables.Disposable;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The fast paths allocate nothing, and those to other threads little, in a JVM that has seen
 * several kinds of work, fallbacks, failures and doors before: what a benchmark of one kind alone
 * gets from inlining, applications do not.
 */
@OwnThread
class AllocationTest {

  /** Of a round. So few that the looks at the health, each 50 ms, are between most rounds. */
  private static final int CALLS = 2_000;

  private static final int BATCH = 100;
  private static final int ROUNDS = 400;
  private static final int ROUNDS_ELSEWHERE = 40;

  /**
   * The JVM's own noise, a new buffer or a recompilation: in the best of many rounds hardly any.
   */
  private static final double NOISE_BYTES_PER_CALL = 0.01;

  private static final IllegalStateException DOWN = new IllegalStateException("down");

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec = leaks.watch(Tenrec.create());
  private long sink;

  @BeforeEach
  void pollute() {
    // a busy machine may keep a thread from its call for more than the second that it has
    tenrec.set("tenrec.command.default.execution.isolation.thread.timeoutInMilliseconds", "50000");
    for (int kind = 0; kind < 4; kind++) {
      Command<Integer, Integer> plain = commandOfKind(kind);
      Command<Integer, Integer> seen =
          tenrec
              .command("Seen" + kind, (Integer i, Call call) -> i + call.commandKey().length())
              .isolation(Isolation.semaphore(10))
              .build();
      Command<Integer, Integer> stage =
          tenrec
              .asyncCommand("Stage" + kind, (Integer i) -> CompletableFuture.completedFuture(i))
              .build();
      for (int i = 0; i < 5_000; i++) {
        sink += plain.execute(i & 127);
        sink += plain.attempt(i & 127).value();
        sink += plain.executeAsync(i & 127).join();
        sink += seen.execute(i & 127);
        sink += plain.toSingle(i & 127).blockingGet();
        sink += stage.executeAsync(i & 127).join();
      }
    }
  }

  private Command<Integer, Integer> commandOfKind(int kind) {
    CommandBuilder<Integer, Integer> builder =
        switch (kind) {
          case 0 -> tenrec.command("Kind0", (Integer i) -> i);
          case 1 -> tenrec.command("Kind1", AllocationTest::next);
          case 2 -> tenrec.command("Kind2", (Integer i) -> failEvery(i, 3));
          default -> tenrec.command("Kind3", (Integer i) -> failEvery(i, 1));
        };
    builder.isolation(Isolation.semaphore(10)).withoutCircuitBreaker();
    switch (kind) {
      case 2 -> builder.fallback((i, cause) -> 0);
      case 3 -> builder.fallback((i, cause) -> cause.getMessage().length());
      default -> builder.fallback((i, cause) -> i);
    }
    return builder.build();
  }

  private static Integer next(Integer i) {
    return (i + 1) & 127;
  }

  private static Integer failEvery(Integer i, int times) {
    if (i % times == 0) {
      throw DOWN;
    }
    return i;
  }

  @Test
  void execute_onASemaphore_allocatesNothing() {
    Command<Integer, Integer> command =
        tenrec
            .command("Fast", (Integer i) -> i)
            .isolation(Isolation.semaphore(10))
            .fallback((i, cause) -> 0)
            .build();

    assertAllocatesNothing(i -> sink += command.execute(i & 127));
  }

  @Test
  void execute_whileItsSettingsChange_allocatesNothing() throws Exception {
    Command<Integer, Integer> command =
        tenrec
            .command("Steered", (Integer i) -> i)
            .isolation(Isolation.semaphore(10))
            .fallback((i, cause) -> 0)
            .build();
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicInteger changes = new AtomicInteger();
    Thread changing =
        new Thread(
            () -> {
              while (!isOver.get()) {
                tenrec.set(
                    "tenrec.command.Steered.circuitBreaker.requestVolumeThreshold",
                    String.valueOf(20 + changes.incrementAndGet() % 7));
              }
            });
    changing.start();
    try {
      await().until(() -> changes.get() > 10);
      int before = changes.get();
      do { // again where a busy machine has let no change happen meanwhile
        assertThat(changing.isAlive()).as("is changing settings").isTrue();
        assertAllocatesNothing(i -> sink += command.execute(i & 127) + 1);
      } while (changes.get() == before);
    } finally {
      isOver.set(true);
      changing.join();
    }
  }

  @Test
  void execute_whoseJournalIsFollowed_allocatesNothing() {
    List<String> happened = new CopyOnWriteArrayList<>();
    Disposable journal = tenrec.journalStream().subscribe(entry -> happened.add(entry.text()));
    Subscription inventory = tenrec.follow(new InventoryListener() {});
    Command<Integer, Integer> command =
        tenrec
            .command("Followed", (Integer i) -> failEvery(i, 3))
            .isolation(Isolation.semaphore(10))
            .errorThreshold(100, Integer.MAX_VALUE)
            .fallback((i, cause) -> 0)
            .build();

    assertAllocatesNothing(i -> sink += command.execute(i & 127) + 1);

    tenrec.set("tenrec.command.Followed.fallback.enabled", "false");
    await().until(() -> happened.contains("fallback.enabled true -> false"));
    journal.dispose();
    inventory.close();
  }

  @Test
  void execute_withARateLimit_allocatesNothing() {
    Command<Integer, Integer> command =
        tenrec
            .command("Limited", (Integer i) -> i)
            .isolation(Isolation.semaphore(10))
            .rateLimit(1_000_000_000, Duration.ofSeconds(1), 1_000_000_000)
            .fallback((i, cause) -> 0)
            .build();

    assertAllocatesNothing(i -> sink += command.execute(i & 127));
  }

  @Test
  void execute_withARetryThatIsNotNeeded_allocatesNothing() {
    Command<Integer, Integer> command =
        tenrec
            .command("Retried", (Integer i) -> i)
            .isolation(Isolation.semaphore(10))
            .retry(Retry.attempts(3))
            .fallback((i, cause) -> 0)
            .build();

    assertAllocatesNothing(i -> sink += command.execute(i & 127));
  }

  @Test
  void execute_withoutARetry_whereAttemptsHaveATimeOut_allocatesNothing() {
    tenrec.set("tenrec.command.default.retry.attemptTimeoutInMilliseconds", "60000");
    Command<Integer, Integer> command =
        tenrec
            .command("Unretried", (Integer i) -> i)
            .isolation(Isolation.semaphore(10))
            .fallback((i, cause) -> 0)
            .build();

    assertAllocatesNothing(i -> sink += command.execute(i & 127));
  }

  @Test
  void execute_withDeadlines_oneCallInTheOther_allocatesNothing() {
    Command<Integer, Integer> inner =
        tenrec
            .command("Inner", (Integer i) -> i)
            .isolation(Isolation.semaphore(10))
            .withDeadline()
            .build();
    Command<Integer, Integer> outer =
        tenrec
            .command("Outer", (Integer i) -> inner.execute(i))
            .isolation(Isolation.semaphore(10))
            .withDeadline()
            .fallback((i, cause) -> 0)
            .build();

    assertAllocatesNothing(i -> sink += outer.execute(i & 127));
  }

  @Test
  void execute_onAPoolWithADeadline_allocatesAtMostTwoHundredBytesOnAllThreads() {
    Command<Integer, Integer> command =
        tenrec
            .command("PooledWithin", (Integer i) -> i)
            .isolation(Isolation.threadPool().coreSize(2))
            .timeout(Duration.ofMinutes(1))
            .withDeadline()
            .build();

    assertThat(leastBytesOfAllThreads(i -> sink += command.execute(i & 127) + 1))
        .isBetween(1.0, 200.0);
  }

  @Test
  void execute_inAJvmWhereListenersRan_allocatesNothing() {
    for (int kind = 0; kind < 3; kind++) {
      listenElsewhere(kind + 1);
    }
    Command<Integer, Integer> command =
        tenrec
            .command("Unheard", (Integer i) -> failEvery(i, 3))
            .isolation(Isolation.semaphore(10))
            .errorThreshold(100, Integer.MAX_VALUE)
            .fallback((i, cause) -> 0)
            .build();

    assertAllocatesNothing(i -> sink += command.execute(i & 127) + 1);
  }

  /** Another Tenrec of this JVM has so many listeners. */
  private void listenElsewhere(int listeners) {
    TenrecBuilder builder = Tenrec.builder();
    for (int i = 0; i < listeners; i++) {
      builder.listen(
          new CommandListener() {
            @Override
            public void onStart(ListenedCall call) {
              sink += call.group().length();
            }

            @Override
            public void onSuccess(ListenedCall call, @Nullable Object value) {
              sink += call.commandKey().length();
            }
          });
    }
    Tenrec heard = leaks.watch(builder.build());
    Command<Integer, Integer> command =
        heard
            .command("Heard", (Integer i) -> failEvery(i, 3))
            .isolation(Isolation.semaphore(10))
            .fallback((i, cause) -> 0)
            .build();
    for (int i = 0; i < 5_000; i++) {
      sink += command.execute(i & 127);
      sink += command.executeAsync(i & 127).join();
    }
  }

  @Test
  void execute_withAnOpenCircuit_servesTheFallbackWithoutAllocating() {
    Command<Integer, Integer> command =
        tenrec
            .command("Open", (Integer i) -> failEvery(i, 1))
            .isolation(Isolation.semaphore(10))
            .errorThreshold(1, 1)
            .sleepWindow(Duration.ofHours(1))
            .fallback((i, cause) -> cause instanceof CircuitOpenException ? 1 : 0)
            .build();
    await().until(() -> command.execute(0) == 1);

    assertAllocatesNothing(i -> sink += command.execute(i & 127));
  }

  @Test
  void execute_failing_servesTheFallbackWithoutAllocating() {
    Command<Integer, Integer> command =
        tenrec
            .command("Failing", (Integer i) -> failEvery(i, 1))
            .isolation(Isolation.semaphore(10))
            .errorThreshold(100, Integer.MAX_VALUE)
            .fallback((i, cause) -> cause == DOWN ? 1 : 0)
            .build();

    assertAllocatesNothing(i -> sink += command.execute(i & 127));
  }

  @Test
  void call_ofAGuard_thatCapturesNothing_allocatesNothing() {
    Guard guard = tenrec.guard("Guard").semaphore(10).timeout(Duration.ofMinutes(1)).build();

    assertAllocatesNothing(i -> sink += guard.<Integer>call(() -> 1));
  }

  @Test
  void execute_onAPool_allocatesAtMostTwoHundredBytesOnAllThreads() {
    Command<Integer, Integer> command =
        tenrec
            .command("Pooled", (Integer i) -> i)
            .isolation(Isolation.threadPool().coreSize(2))
            .timeout(Duration.ofMinutes(1))
            .build();

    assertThat(leastBytesOfAllThreads(i -> sink += command.execute(i & 127) + 1))
        .isBetween(1.0, 200.0);
  }

  @Test
  void executeAsync_inABatchOfAHundred_allocatesAtMost250BytesOnAllThreads() {
    Map<Integer, Integer> answers = new HashMap<>();
    for (int i = 0; i < BATCH; i++) {
      answers.put(i, i + 1);
    }
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapser("Batched", (List<Integer> questions) -> answers)
            .maxRequestsInBatch(BATCH)
            .timeout(Duration.ofMinutes(1))
            .globalScope()
            .build();
    List<CompletableFuture<Integer>> members = new ArrayList<>(BATCH);

    double bytes =
        leastBytesOfAllThreads(
            i -> {
              members.add(collapser.executeAsync(i % BATCH));
              if (members.size() == BATCH) {
                members.forEach(member -> sink += member.join());
                members.clear();
              }
            });

    assertThat(bytes).isBetween(1.0, 250.0);
  }

  /** Per call, in the best of many rounds. */
  private static double leastBytesOfAllThreads(IntConsumer call) {
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS_ELSEWHERE; round++) {
      Allocated before = Allocated.now();
      for (int i = 0; i < CALLS; i++) {
        call.accept(i);
      }
      least = Math.min(least, Allocated.now().since(before));
    }
    return (double) least / CALLS;
  }

  /** By each thread so far. */
  private static final class Allocated {

    private final long[] threads;

    /** Of each of the threads; negative for one that has ended. */
    private final long[] bytes;

    private Allocated(long[] threads, long[] bytes) {
      this.threads = threads;
      this.bytes = bytes;
    }

    static Allocated now() {
      ThreadMXBean all = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long[] threads = all.getAllThreadIds();
      return new Allocated(threads, all.getThreadAllocatedBytes(threads));
    }

    /** By threads that there are still: what one had that ends takes nothing from the others'. */
    long since(Allocated before) {
      long sum = 0;
      for (int i = 0; i < threads.length; i++) {
        if (bytes[i] >= 0) {
          sum += bytes[i] - Math.max(0, before.of(threads[i]));
        }
      }
      return sum;
    }

    private long of(long thread) {
      for (int i = 0; i < threads.length; i++) {
        if (threads[i] == thread) {
          return bytes[i];
        }
      }
      return 0;
    }
  }

  private void assertAllocatesNothing(IntConsumer call) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long before = threads.getThreadAllocatedBytes(thread);
      for (int i = 0; i < CALLS; i++) {
        call.accept(i);
      }
      least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
    }
    assertThat((double) least / CALLS)
        .as("bytes per call, in the best of %s rounds", ROUNDS)
        .isLessThan(NOISE_BYTES_PER_CALL);
    assertThat(sink).isNotZero();
  }
}
