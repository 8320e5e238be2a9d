// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.InsideTenrec;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.HeldWork;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.PoolView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A pool, or a shared semaphore, that is named again while calls of before are in it. */
class PoolAdoptionTest {

  private static final String OVERRIDE = "tenrec.command.C.threadPoolKeyOverride";

  private final Tenrec tenrec = Unhurried.tenrec();
  private final HeldWork held = HeldWork.polite();
  private final List<CompletableFuture<String>> calls = new ArrayList<>();

  @AfterEach
  void close() {
    held.letGo();
    assertThat(calls).allSatisfy(call -> assertThat(call).succeedsWithin(PatientWaits.patience()));
    tenrec.close();
    assertThat(tenrec.liveThreads()).isZero();
    assertThat(tenrec.refusedSettings()).isZero();
  }

  private Command<String, String> command(Isolation isolation) {
    return tenrec
        .command("C", held)
        .isolation(isolation)
        .withoutTimeout()
        .withoutCircuitBreaker()
        .build();
  }

  private void start(Command<String, String> command, int count) {
    for (int i = 0; i < count; i++) {
      calls.add(command.executeAsync("x"));
    }
    held.awaitRunning(calls.size());
  }

  private PoolView pool(String key) {
    return tenrec.pools().stream().filter(pool -> pool.key().equals(key)).findAny().orElseThrow();
  }

  @Test
  void override_backToAPoolThatStillWorks_findsItsCallsInIt() {
    tenrec.set("tenrec.threadpool.P.coreSize", "2");
    Command<String, String> command = command(Isolation.threadPool());
    tenrec.set(OVERRIDE, "P");
    start(command, 2);
    PoolView before = pool("P");

    tenrec.set(OVERRIDE, "Q");
    assertThat(tenrec.pools()).extracting(PoolView::key).doesNotContain("P");
    tenrec.set(OVERRIDE, "P");

    assertThat(pool("P").active()).isEqualTo(2);
    assertThat(pool("P").cumulativeExecuted()).isEqualTo(2);
    assertThat(InsideTenrec.registry(tenrec).poolsAndRetired())
        .as("its threads are not counted twice")
        .doesNotHaveDuplicates();
    assertThat(command.attempt("refused").has(EventType.THREAD_POOL_REJECTED)).isTrue();
    assertThat(before.cumulativeRejected()).as("it is the same one").isOne();
    assertThat(tenrec.pools()).extracting(PoolView::key).containsExactlyInAnyOrder("C", "P");
    tenrec.set("tenrec.threadpool.P.coreSize", "3");
    start(command, 1);
    assertThat(pool("P").threads()).isEqualTo(3);
  }

  @Test
  void pool_adoptedWithOtherSettings_goesByThose() {
    Command<String, String> first = command(Isolation.threadPool().coreSize(3));
    start(first, 3);
    assertThat(tenrec.remove("C")).isTrue();
    Command<String, String> second = command(Isolation.threadPool().coreSize(2).queueSize(5));
    assertThat(pool("C").coreSize()).isEqualTo(2);
    assertThat(pool("C").active()).isEqualTo(3);
    for (int i = 0; i < 4; i++) {
      calls.add(second.executeAsync("waits"));
    }
    assertThat(second.attempt("refused").has(EventType.THREAD_POOL_REJECTED)).isTrue();
    held.letGo();
    assertThat(calls)
        .allSatisfy(call -> assertThat(call).succeedsWithin(PatientWaits.patience()).isNotNull());
    assertThat(second.execute("y")).isEqualTo("y");
  }

  @Test
  void semaphore_namedAgainWhileItsPermitsAreOut_countsThem() throws InterruptedException {
    Command<String, String> first = command(Isolation.semaphore(1).shared("S"));
    Thread caller = new Thread(() -> first.execute("x"));
    caller.start();
    held.awaitRunning(1);
    assertThat(tenrec.remove("C")).isTrue();
    Command<String, String> second = command(Isolation.semaphore(1).shared("S"));
    assertThat(second.attempt("refused").has(EventType.SEMAPHORE_REJECTED)).isTrue();
    held.letGo();
    caller.join(PatientWaits.patience().toMillis());
    assertThat(second.execute("y")).isEqualTo("y");
  }

  @Test
  @Tag("race")
  void override_thatFlaps_keepsEachPoolWithinItsBound() throws InterruptedException {
    AtomicInteger[] inside = {new AtomicInteger(), new AtomicInteger()};
    AtomicInteger most = new AtomicInteger();
    tenrec.set("tenrec.threadpool.default.coreSize", "4");
    Command<Integer, Integer> command =
        tenrec
            .command(
                "C",
                (Integer i) -> {
                  String thread = Thread.currentThread().getName();
                  AtomicInteger pool = inside[thread.startsWith("tenrec-P-") ? 0 : 1];
                  most.accumulateAndGet(pool.incrementAndGet(), Math::max);
                  Thread.yield();
                  pool.decrementAndGet();
                  return i;
                })
            .withoutTimeout()
            .withoutCircuitBreaker()
            .fallbackValue(-1)
            .build();
    tenrec.set(OVERRIDE, "Q");
    long end = System.nanoTime() + 2_000_000_000L;
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      Thread caller =
          new Thread(
              () -> {
                do {
                  command.execute(1);
                } while (System.nanoTime() - end < 0 || most.get() == 0);
              });
      caller.start();
      callers.add(caller);
    }
    for (int i = 0; System.nanoTime() - end < 0; i++) {
      tenrec.set(OVERRIDE, i % 2 == 0 ? "P" : "Q");
    }
    for (Thread caller : callers) {
      caller.join(PatientWaits.patience().toMillis());
    }
    assertThat(callers).noneMatch(Thread::isAlive);
    assertThat(most.get()).isBetween(1, 4);
  }
}
