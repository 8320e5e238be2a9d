// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.InvalidSettingException;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.HeldWork;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

class VirtualThreadIsolationTest {

  private final ManualTime time = new ManualTime();
  private Tenrec tenrec;
  private final HeldWork held = HeldWork.polite();

  @BeforeEach
  void create() { // not where the field is: a test that is switched off would leave it open
    tenrec = Tenrec.builder().time(time, time).build();
  }

  @AfterEach
  void letGo() {
    held.letGo();
    Elsewhere.close(tenrec, time);
    assertThat(tenrec.liveThreads()).isZero();
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_20)
  void build_beforeJava21_saysWhatIsMissing() {
    CommandBuilder<String, String> builder =
        tenrec.command("C", held).isolation(Isolation.virtualThreads(5));
    assertThatThrownBy(builder::build)
        .isInstanceOf(InvalidSettingException.class)
        .hasMessage(
            "command.C.execution.isolation.strategy = VIRTUAL_THREAD: must not be VIRTUAL_THREAD before Java 21, and this is Java "
                + Runtime.version().feature());
    assertThat(tenrec.commands()).isEmpty();
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_20)
  void live_beforeJava21_isRefusedLikeAnyBadValue() {
    Command<String, String> command =
        tenrec.command("C", (String s) -> Thread.currentThread().getName()).build();
    tenrec.set("tenrec.command.C.execution.isolation.strategy", "VIRTUAL_THREAD");
    assertThat(tenrec.refusedSettings()).isOne();
    assertThat(command.execute("x")).startsWith("tenrec-C-");
  }

  private Command<String, String> virtual(String key, int permits) {
    return tenrec
        .command(key, held)
        .isolation(Isolation.virtualThreads(permits))
        .timeout(Duration.ofMillis(200))
        .build();
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void work_runsOnAVirtualThreadOfItsOwn() throws ReflectiveOperationException {
    Command<String, Thread> who =
        tenrec
            .command("Who", (String s) -> Thread.currentThread())
            .isolation(Isolation.virtualThreads(5))
            .build();
    List<Thread> threads =
        List.of(
            who.execute("a"),
            who.execute("b"),
            who.executeAsync("c").join(),
            who.toSingle("d").blockingGet());
    assertThat(threads).doesNotHaveDuplicates();
    for (Thread thread : threads) {
      assertThat(Thread.class.getMethod("isVirtual").invoke(thread)).isEqualTo(true);
      assertThat(thread.getName()).isEqualTo("tenrec-Who");
    }
    assertThat(tenrec.pools()).isEmpty();
    assertThat(who.view().threadPoolKey()).isNull();
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void call_beyondTheLimit_isRefused() {
    Command<String, String> command = virtual("C", 2);
    CompletableFuture<String> first = command.executeAsync("1");
    CompletableFuture<String> second = command.executeAsync("2");
    held.awaitRunning(2);
    Outcome<String> refused = command.attempt("3");
    assertThat(refused.events()).contains(EventType.SEMAPHORE_REJECTED);
    assertThat(refused.cause())
        .isInstanceOf(CommandRejectedException.class)
        .hasMessageContaining("virtual threads");
    held.letGo();
    assertThat(first.join() + second.join()).isEqualTo("12");
    await().until(() -> command.view().concurrency() == 0);
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void timedOut_interruptsAndKeepsThePermitUntilTheWorkStops() {
    HeldWork stubborn = HeldWork.stubborn();
    Command<String, String> command =
        tenrec
            .command("C", stubborn)
            .isolation(Isolation.virtualThreads(1))
            .timeout(Duration.ofMillis(200))
            .build();
    CompletableFuture<String> answer = command.executeAsync("x");
    stubborn.awaitRunning(1);
    time.advanceMillis(200);
    assertThatThrownBy(answer::join).hasCauseInstanceOf(CommandTimeoutException.class);
    stubborn.awaitInterrupts(1);
    assertThat(command.view().stillBusy()).isOne();
    assertThat(command.attempt("y").events()).contains(EventType.SEMAPHORE_REJECTED);
    stubborn.letGo();
    await().until(() -> command.view().concurrency() == 0);
    assertThat(command.view().stillBusy()).isZero();
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void limit_changedLive_countsAtOnce() {
    Command<String, String> command = virtual("C", 1);
    CompletableFuture<String> first = command.executeAsync("1");
    held.awaitRunning(1);
    tenrec.set("tenrec.command.C.execution.isolation.virtualThread.maxConcurrentRequests", "2");
    CompletableFuture<String> second = command.executeAsync("2");
    held.awaitRunning(2);
    tenrec.clear("tenrec.command.C.execution.isolation.virtualThread.maxConcurrentRequests");
    assertThat(command.attempt("3").events()).contains(EventType.SEMAPHORE_REJECTED);
    held.letGo();
    assertThat(first.join() + second.join()).isEqualTo("12");
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void close_withStubbornWork_answersItAndReportsIt() {
    HeldWork stubborn = HeldWork.stubborn();
    Tenrec other = Tenrec.create();
    Command<String, String> command =
        other
            .command("C", stubborn)
            .isolation(Isolation.virtualThreads(1))
            .withoutTimeout()
            .build();
    CompletableFuture<String> answer = command.executeAsync("x");
    stubborn.awaitRunning(1);
    List<StillRunning> left = other.close(Duration.ZERO);
    assertThat(answer).isCancelled();
    assertThat(left).extracting(StillRunning::commandKey).containsExactly("C");
    stubborn.awaitInterrupts(1);
    stubborn.letGo();
    await().until(() -> other.liveThreads() == 0);
  }
}
