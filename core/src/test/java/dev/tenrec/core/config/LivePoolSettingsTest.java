// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.HeldWork;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.PoolView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every property of a pool, changed while it is in use. */
class LivePoolSettingsTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final HeldWork held = HeldWork.polite();
  private final List<CompletableFuture<String>> calls = new ArrayList<>();

  @AfterEach
  void close() {
    held.letGo();
    awaitCalls();
    assertThat(calls).allMatch(Future::isDone);
    Elsewhere.close(tenrec, time);
    assertThat(tenrec.refusedSettings()).isZero();
    assertThat(tenrec.liveThreads()).isZero();
  }

  private void awaitCalls() {
    assertThat(CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)))
        .succeedsWithin(PatientWaits.patience());
  }

  private void set(String property, Object value) {
    tenrec.set("tenrec.threadpool.C." + property, value.toString());
  }

  private Command<String, String> command(Isolation isolation) {
    return tenrec
        .command("C", held)
        .isolation(isolation)
        .withoutTimeout()
        .withoutCircuitBreaker()
        .build();
  }

  private PoolView pool() {
    return tenrec.pools().get(0);
  }

  private void start(Command<String, String> command, int count) {
    for (int i = 0; i < count; i++) {
      calls.add(command.executeAsync("x"));
    }
  }

  private static boolean isRefused(Command<String, String> command) {
    return command.attempt("refused").has(EventType.THREAD_POOL_REJECTED);
  }

  @Test
  void coreSize_upWhileBusy_letsMoreInAtOnce() {
    Command<String, String> command = command(Isolation.threadPool().coreSize(2));
    start(command, 2);
    held.awaitRunning(2);
    assertThat(isRefused(command)).isTrue();
    set("coreSize", 12);
    start(command, 10);
    held.awaitRunning(12);
    assertThat(isRefused(command)).isTrue();
    assertThat(pool().coreSize()).isEqualTo(12);
    assertThat(pool().threads()).isEqualTo(12);
  }

  @Test
  void coreSize_downWhileBusy_keepsWhatRunsAndEndsSurplusThreads() {
    Command<String, String> command = command(Isolation.threadPool().coreSize(3));
    start(command, 3);
    held.awaitRunning(3);
    set("coreSize", 1);
    assertThat(isRefused(command)).isTrue();
    assertThat(pool().active()).isEqualTo(3);
    held.letGo();
    awaitCalls();
    await().until(() -> pool().threads() == 1);
    assertThat(command.execute("y")).isEqualTo("y");
  }

  @Test
  void coreSize_upWithCallsQueued_startsThreadsForThem() {
    Command<String, String> command = command(Isolation.threadPool().coreSize(1).queueSize(5));
    start(command, 4);
    held.awaitRunning(1);
    assertThat(pool().queued()).isEqualTo(3);
    set("coreSize", 4);
    held.awaitRunning(4);
    assertThat(pool().queued()).isZero();
  }

  @Test
  void maximumSize_andDivergence() {
    Command<String, String> command = command(Isolation.threadPool().coreSize(1));
    start(command, 1);
    held.awaitRunning(1);
    set("maximumSize", 3);
    assertThat(isRefused(command)).as("it does not count yet").isTrue();
    set("allowMaximumSizeToDivergeFromCoreSize", true);
    start(command, 2);
    held.awaitRunning(3);
    assertThat(pool().maximumSize()).isEqualTo(3);
    set("maximumSize", 4);
    start(command, 1);
    held.awaitRunning(4);
    set("allowMaximumSizeToDivergeFromCoreSize", false);
    assertThat(pool().maximumSize()).isOne();
    assertThat(isRefused(command)).isTrue();
    held.letGo();
    awaitCalls();
    await().until(() -> pool().threads() == 1);
  }

  @Test
  void maxQueueSize_andItsThreshold() {
    Command<String, String> command = command(Isolation.threadPool().coreSize(1));
    start(command, 1);
    held.awaitRunning(1);
    assertThat(isRefused(command)).isTrue();
    set("maxQueueSize", 2);
    start(command, 2);
    assertThat(isRefused(command)).isTrue();
    assertThat(pool().queueCapacity()).isEqualTo(2);
    set("maxQueueSize", 10);
    set("queueSizeRejectionThreshold", 3);
    start(command, 1);
    assertThat(pool().queued()).isEqualTo(3);
    assertThat(isRefused(command)).isTrue();
    set("queueSizeRejectionThreshold", 4);
    start(command, 1);
    set("maxQueueSize", -1);
    assertThat(pool().queued()).as("queued calls stay").isEqualTo(4);
    assertThat(isRefused(command)).isTrue();
    held.letGo();
    awaitCalls();
    assertThat(held.began()).hasSize(5);
  }

  @Test
  void keepAlive() {
    Command<String, String> command = command(Isolation.threadPool().coreSize(1).maximumSize(2));
    start(command, 2);
    held.awaitRunning(2);
    set("keepAliveTimeMinutes", 3);
    held.letGo();
    awaitCalls();
    await().until(() -> poolThreadsWaiting() == 2);
    time.advanceMillis(2 * 60_000);
    assertThat(pool().threads()).isEqualTo(2);
    set("keepAliveTimeMinutes", 0);
    await().until(() -> pool().threads() == 1);
  }

  private long poolThreadsWaiting() {
    return time.waiting().stream()
        .filter(thread -> thread.getName().startsWith("tenrec-C-"))
        .count();
  }

  @Test
  void rollingWindow_andItsBuckets() {
    held.letGo();
    Command<String, String> command = command(Isolation.threadPool());
    assertThat(command.execute("x")).isEqualTo("x");
    set("metrics.rollingStats.timeInMilliseconds", 2_000);
    set("metrics.rollingStats.numBuckets", 2);
    assertThat(pool().rollingExecuted()).isOne();
    time.advanceMillis(3_000);
    assertThat(pool().rollingExecuted()).isZero();
    assertThat(pool().cumulativeExecuted()).isOne();
    assertThat(command.execute("x")).isEqualTo("x");
    assertThat(pool().rollingExecuted()).isOne();
  }

  @Test
  void rollingWindow_alone_countsFromThen() {
    held.letGo();
    Command<String, String> command = command(Isolation.threadPool());
    set("metrics.rollingStats.timeInMilliseconds", 2_000);
    assertThat(command.execute("x")).isEqualTo("x");
    assertThat(pool().rollingExecuted()).isOne();
    time.advanceMillis(3_000);
    assertThat(pool().rollingExecuted()).isZero();
  }

  /** Ten seconds in halves: with the second half the first one's end has come. */
  @Test
  void rollingBuckets_alone_countFromThen() {
    held.letGo();
    Command<String, String> command = command(Isolation.threadPool());
    set("metrics.rollingStats.numBuckets", 2);
    time.advanceMillis(4_900);
    assertThat(command.execute("x")).isEqualTo("x");
    time.advanceMillis(5_000);
    assertThat(pool().rollingExecuted()).isOne();
    time.advanceMillis(200);
    assertThat(pool().rollingExecuted()).isZero();
  }

  @Test
  void globalPoolProperty_reachesPoolsThatSayNothing() {
    Command<String, String> command = tenrec.command("C", held).withoutTimeout().build();
    tenrec.set("tenrec.threadpool.default.coreSize", "1");
    start(command, 1);
    held.awaitRunning(1);
    assertThat(isRefused(command)).isTrue();
    assertThat(pool().coreSize()).isOne();
  }
}
