// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.config.SettingChange;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What listeners get that belongs to no call: circuits and settings. */
class ListenerNewsTest {

  /** Throws at all of it, which changes nothing. */
  private static final CommandListener THROWING =
      new CommandListener() {
        @Override
        public void onTransition(String commandKey, Transition transition) {
          throw new AssertionError("listener");
        }

        @Override
        public void onSettingChange(SettingChange change) {
          throw new AssertionError("listener");
        }
      };

  private final List<String> news = new CopyOnWriteArrayList<>();
  private final List<String> threads = new CopyOnWriteArrayList<>();
  private final CommandListener listening =
      new CommandListener() {
        @Override
        public void onTransition(String commandKey, Transition transition) {
          threads.add(Thread.currentThread().getName());
          news.add(commandKey + ": " + transition.from() + " to " + transition.to());
        }

        @Override
        public void onSettingChange(SettingChange change) {
          news.add(change.key() + ": " + change.property() + "=" + change.newValue());
        }
      };

  @RegisterExtension final LeakGuard leaks = new LeakGuard();

  private static Command<String, String> failing(Tenrec tenrec) {
    return tenrec
        .command(
            "Failing",
            (String s) -> {
              if (s.equals("fail")) {
                throw new IllegalStateException("down");
              }
              return s;
            })
        .errorThreshold(50, 1)
        .sleepWindow(Duration.ofSeconds(5))
        .fallback((s, cause) -> "instead")
        .build();
  }

  @Test
  void circuit_eachTransition_isReportedInOrderOnACallbackThread() {
    ManualTime time = new ManualTime();
    Tenrec tenrec = Tenrec.builder().time(time, time).listen(THROWING).listen(listening).build();
    try {
      Command<String, String> command = failing(tenrec);
      command.execute("fail");
      time.advanceMillis(600);
      command.execute("fail");
      await() // the timer's thread may have been looking when the second call failed
          .until(() -> command.view().circuitState() == CircuitState.OPEN);
      time.advanceMillis(5_000);
      assertThat(command.execute("well")).isEqualTo("well");

      await()
          .untilAsserted(
              () ->
                  assertThat(news)
                      .containsExactly(
                          "Failing: CLOSED to OPEN",
                          "Failing: OPEN to HALF_OPEN",
                          "Failing: HALF_OPEN to CLOSED"));
      assertThat(threads).allMatch(name -> name.startsWith("tenrec-callback-"));
    } finally {
      Elsewhere.close(tenrec, time);
    }
  }

  /** Time-outs nobody waits for trip it on the timer's thread. */
  @Test
  void circuit_trippedByTheTimer_isNotReportedOnItsThread() {
    Tenrec tenrec = leaks.watch(Tenrec.builder().listen(listening).build());
    Command<String, String> slow =
        tenrec
            .command(
                "Slow",
                (String s) -> {
                  Uninterruptibly.sleepOrInterrupt();
                  return s;
                })
            .timeout(Duration.ofMillis(5))
            .errorThreshold(50, 1)
            .property("metrics.healthSnapshot.intervalInMilliseconds", "10")
            .fallback((s, cause) -> "instead")
            .build();
    await()
        .until(
            () -> {
              CompletableFuture<String> future = slow.executeAsync("a");
              future.handle((value, error) -> error).join(); // its fallback may come too late
              return !news.isEmpty();
            });
    assertThat(news.get(0)).isEqualTo("Slow: CLOSED to OPEN");
    assertThat(threads).allMatch(name -> name.startsWith("tenrec-callback-"));
  }

  /** A user's executor that refuses: still reported, on a thread of Tenrec's. */
  @Test
  void circuit_thatTheUsersExecutorRefuses_isReportedOnAThreadOfTenrecs() {
    ManualTime time = new ManualTime();
    Tenrec tenrec =
        Tenrec.builder()
            .time(time, time)
            .callbackExecutor(Runnable::run) // which has refused thereby
            .listen(listening)
            .build();
    try {
      Command<String, String> command = failing(tenrec);
      command.execute("fail");
      time.advanceMillis(600);
      command.execute("fail");
      await().untilAsserted(() -> assertThat(news).containsExactly("Failing: CLOSED to OPEN"));
      assertThat(threads).allMatch(name -> name.startsWith("tenrec-callback-"));
    } finally {
      Elsewhere.close(tenrec, time);
    }
  }

  @Test
  void setting_changed_isReportedToBothKindsOfListeners() {
    List<String> bare = new CopyOnWriteArrayList<>();
    try (Tenrec tenrec =
        Tenrec.builder()
            .onSettingChange(
                change -> {
                  bare.add(change.property());
                  throw new AssertionError("the first");
                })
            .listen(THROWING)
            .listen(listening)
            .build()) {
      Command<String, String> command = failing(tenrec);
      tenrec.set("tenrec.command.Failing.circuitBreaker.forceOpen", "true");

      assertThat(command.execute("well")).isEqualTo("instead");
      assertThat(bare).containsExactly("circuitBreaker.forceOpen");
      assertThat(news).containsExactly("Failing: circuitBreaker.forceOpen=true");
    }
  }
}
