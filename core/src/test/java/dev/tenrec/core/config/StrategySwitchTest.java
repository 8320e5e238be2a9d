// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.HeldWork;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.metrics.event.EventType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** The isolation strategy, changed with calls in flight: each leaves where it entered. */
class StrategySwitchTest {

  private static final String STRATEGY = "tenrec.command.C.execution.isolation.strategy";

  private Tenrec tenrec;
  private final HeldWork held = HeldWork.polite();

  @BeforeEach
  void create() { // not where the field is: a test that is switched off would leave it open
    tenrec = Unhurried.tenrec();
  }

  @AfterEach
  void close() {
    held.letGo();
    tenrec.close();
    assertThat(tenrec.liveThreads()).isZero();
  }

  private Command<String, String> onOne(Isolation isolation) {
    return tenrec
        .command("C", held)
        .isolation(isolation)
        .withoutTimeout()
        .withoutCircuitBreaker()
        .build();
  }

  @Test
  void poolToSemaphoreAndBack_permitsReturnWhereTheyWereTaken() {
    Command<String, String> command = onOne(Isolation.threadPool().coreSize(1));
    tenrec.set("tenrec.command.C.execution.isolation.semaphore.maxConcurrentRequests", "1");
    CompletableFuture<String> pooled = command.executeAsync("pooled");
    held.awaitRunning(1);
    tenrec.set(STRATEGY, "SEMAPHORE");
    Thread caller =
        Elsewhere.start(() -> assertThat(command.execute("inline")).isEqualTo("inline"));
    held.awaitRunning(2);
    assertThat(held.threads()).element(1).isSameAs(caller);
    assertThat(command.view().concurrency()).isEqualTo(2);
    assertThat(command.attempt("full").events()).contains(EventType.SEMAPHORE_REJECTED);
    tenrec.set(STRATEGY, "thread");
    assertThat(command.attempt("full").events()).contains(EventType.THREAD_POOL_REJECTED);
    held.letGo();
    assertThat(pooled.join()).isEqualTo("pooled");
    await().until(() -> command.view().concurrency() == 0);
    assertThat(command.execute("again")).isEqualTo("again");
    tenrec.set(STRATEGY, "semaphore");
    assertThat(command.execute("again")).isEqualTo("again");
    assertThat(command.view().concurrency()).isZero();
  }

  @Test
  void globalStrategy_reachesCommandsThatSayNothing() {
    Command<String, Thread> silent =
        tenrec.command("Silent", (String s) -> Thread.currentThread()).build();
    Command<String, Thread> coded =
        tenrec
            .command("Told", (String s) -> Thread.currentThread())
            .isolation(Isolation.threadPool())
            .build();
    tenrec.set("tenrec.command.default.execution.isolation.strategy", "SEMAPHORE");
    assertThat(silent.execute("x")).isSameAs(Thread.currentThread());
    assertThat(coded.execute("x")).as("code is stronger").isNotSameAs(Thread.currentThread());
    tenrec.clear("tenrec.command.default.execution.isolation.strategy");
    assertThat(silent.execute("x")).isNotSameAs(Thread.currentThread());
  }

  @Test
  void globalSemaphoreLimit_reachesAsynchronousCommandsThatSayNothing() {
    Command<String, String> command =
        tenrec.asyncCommand("A", (String s) -> new CompletableFuture<String>()).build();
    tenrec.set("tenrec.command.default.execution.isolation.semaphore.maxConcurrentRequests", "1");
    CompletableFuture<String> first = command.executeAsync("x");
    assertThat(command.attempt("y").events()).contains(EventType.SEMAPHORE_REJECTED);
    assertThat(first.cancel(true)).isTrue();
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void poolToVirtualToSemaphore_permitsReturnWhereTheyWereTaken() {
    Command<String, String> command = onOne(Isolation.threadPool().coreSize(1));
    tenrec.set("tenrec.command.C.execution.isolation.virtualThread.maxConcurrentRequests", "1");
    CompletableFuture<String> pooled = command.executeAsync("pooled");
    held.awaitRunning(1);
    tenrec.set(STRATEGY, "VIRTUAL_THREAD");
    CompletableFuture<String> virtual = command.executeAsync("virtual");
    held.awaitRunning(2);
    assertThat(command.attempt("full").events()).contains(EventType.SEMAPHORE_REJECTED);
    tenrec.set(STRATEGY, "SEMAPHORE");
    CompletableFuture<String> inline = Elsewhere.call(() -> command.execute("inline"));
    held.awaitRunning(3);
    assertThat(command.view().concurrency()).isEqualTo(3);
    held.letGo();
    assertThat(pooled.join() + virtual.join() + inline.join()).isEqualTo("pooledvirtualinline");
    await().until(() -> command.view().concurrency() == 0);
    tenrec.set(STRATEGY, "VIRTUAL_THREAD");
    assertThat(command.execute("again")).isEqualTo("again");
  }

  @Test
  @Tag("race")
  void switching_underLoad_losesNoCallAndNoPermit() {
    held.letGo();
    Command<String, String> command = onOne(Isolation.threadPool().coreSize(4).queueSize(100));
    List<CompletableFuture<Integer>> callers = new ArrayList<>();
    for (int caller = 0; caller < 4; caller++) {
      callers.add(
          Elsewhere.call(
              () -> {
                int answered = 0;
                for (int i = 0; i < 2_000; i++) {
                  answered += command.attempt("x").isAnswered() ? 1 : 0;
                }
                return answered;
              }));
    }
    String[] strategies = {"SEMAPHORE", "THREAD"};
    for (int i = 0; callers.stream().anyMatch(caller -> !caller.isDone()); i++) {
      tenrec.set(STRATEGY, strategies[i % 2]);
    }
    assertThat(callers.stream().mapToInt(CompletableFuture::join).sum())
        .as("there is room for all")
        .isEqualTo(8_000);
    await().until(() -> command.view().concurrency() == 0);
    assertThat(command.view().cumulativeCount(EventType.SUCCESS)).isEqualTo(8_000);
    assertThat(tenrec.pools().get(0).queued()).isZero();
  }
}
