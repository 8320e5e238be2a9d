// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.PatientWaits;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ten thousand commands, as many as there may be unless configured otherwise, fit where
 * applications run.
 */
@OwnThread
class FootprintTest {

  private static final Logger LOG = LoggerFactory.getLogger(FootprintTest.class);
  private static final int COMMANDS = 10_000;
  private static final long MEGABYTE = 1_024 * 1_024;

  @RegisterExtension final LeakGuard leaks = new LeakGuard();

  /** A busy machine may keep a thread from its call for more than the second that it has. */
  private Tenrec patient() {
    Tenrec tenrec = leaks.watch(Tenrec.create());
    tenrec.set("tenrec.command.default.execution.isolation.thread.timeoutInMilliseconds", "60000");
    return tenrec;
  }

  @Test
  void tenThousandCommands_eachCalledOnce_fitIn256Megabytes() {
    Tenrec earlier = patient(); // what the first commands of a JVM load is not measured
    assertThat(build(earlier, 0).execute(7) + build(earlier, 1).execute(7)).isEqualTo(14);
    Tenrec tenrec = patient();
    long empty = usedBytes();
    List<Command<Integer, Integer>> commands = new ArrayList<>(COMMANDS);
    for (int i = 0; i < COMMANDS; i++) {
      commands.add(build(tenrec, i));
    }
    long built = usedBytes();
    for (Command<Integer, Integer> command : commands) {
      assertThat(command.execute(7)).isEqualTo(7);
    }
    long called = usedBytes();

    LOG.warn(
        "bytes per command: {} never called, {} after one call",
        (built - empty) / COMMANDS,
        (called - empty) / COMMANDS);
    assertThat((built - empty) / COMMANDS)
        .as("bytes per command that was never called, registry and settings included")
        .isLessThanOrEqualTo(1_500);
    assertThat(called).as("heap used, in bytes").isLessThan(200 * MEGABYTE);
    assertThatThrownBy(() -> build(tenrec, COMMANDS))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Command" + COMMANDS)
        .hasMessageContaining("10000 commands already")
        .hasMessageContaining("maxCommands is 10000");
    assertThat(commands).hasSize(COMMANDS);
  }

  /** Half of them on a pool that they share, for threads are not what is measured here. */
  private static Command<Integer, Integer> build(Tenrec tenrec, int number) {
    return tenrec
        .command("Command" + number, (Integer i) -> i)
        .group("Shared")
        .isolation(number % 2 == 0 ? Isolation.threadPool() : Isolation.semaphore(10))
        .fallback((i, cause) -> -1)
        .build();
  }

  @Test
  void removedCommands_leaveNoMemoryNoMetricsAndNoThreads() {
    Tenrec tenrec = patient();
    List<WeakReference<CommandRuntime>> runtimes = new ArrayList<>();
    int threads = tenrec.liveThreads();
    for (int i = 0; i < 50; i++) {
      useAndRemove(tenrec, "Removed" + i, runtimes);
    }

    assertThat(tenrec.commands()).isEmpty();
    assertThat(tenrec.pools()).isEmpty();
    await()
        .atMost(PatientWaits.patience())
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(runtimes).allMatch(runtime -> runtime.get() == null);
              assertThat(tenrec.liveThreads()).isLessThanOrEqualTo(threads + 1); // the timer
            });
  }

  private static void useAndRemove(
      Tenrec tenrec, String key, List<WeakReference<CommandRuntime>> runtimes) {
    Command<Integer, Integer> command =
        tenrec.command(key, (Integer i) -> i).isolation(Isolation.threadPool().coreSize(2)).build();
    assertThat(command.execute(1)).isEqualTo(1);
    assertThat(command.executeAsync(1).join()).isEqualTo(1);
    tenrec
        .registry()
        .commands()
        .forEach(entry -> runtimes.add(new WeakReference<>(entry.runtime())));
    assertThat(tenrec.remove(key)).isTrue();
    assertThat(tenrec.remove(key)).isFalse();
  }

  private static long usedBytes() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      least =
          Math.min(least, Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
    }
    return least;
  }
}
