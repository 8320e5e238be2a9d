// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("race")
class ConfigurationRaceTest {

  private static final String WINDOW = "tenrec.command.A.metrics.rollingStats.timeInMilliseconds";
  private static final String BUCKETS = "tenrec.command.A.metrics.rollingStats.numBuckets";
  private static final int ROUNDS = 2_000;

  @Test
  void concurrentChanges_everySnapshotIsValidAndTheLastOneWins() throws Exception {
    MapSource source = new MapSource();
    ConcurrentLinkedQueue<CommandSettings> torn = new ConcurrentLinkedQueue<>();
    AtomicInteger notifying = new AtomicInteger();
    AtomicInteger overlaps = new AtomicInteger();
    try (Configuration configuration = Configuration.open(source)) {
      LiveSettings<CommandSettings> live =
          configuration.command(
              "A",
              CodeSettings.command().build(),
              settings -> {
                if (notifying.getAndIncrement() != 0) {
                  overlaps.incrementAndGet();
                }
                if (torn(settings)) {
                  torn.add(settings);
                }
                notifying.decrementAndGet();
              });
      run(
          () -> pair(source, "7000", "7"),
          () -> pair(source, "9000", "9"),
          () -> {
            CommandSettings settings = live.current();
            if (torn(settings)) {
              torn.add(settings);
            }
            configuration.command("A", CodeSettings.command().build(), changed -> {}).close();
          });
      assertThat(torn).isEmpty();
      assertThat(overlaps).hasValue(0);
      pair(source, "3000", "3");
      assertThat(live.current().metrics().rollingBuckets()).isEqualTo(3);
    }
  }

  @Test
  void changesOfDifferentKeys_noneIsLost() throws Exception {
    MapSource source = new MapSource();
    try (Configuration configuration = Configuration.open(source)) {
      LiveSettings<CommandSettings> live =
          configuration.command("A", CodeSettings.command().build(), settings -> {});
      AtomicInteger left = new AtomicInteger();
      AtomicInteger right = new AtomicInteger();
      run(
          () ->
              source.set(
                  "tenrec.command.A.circuitBreaker.requestVolumeThreshold",
                  "" + left.incrementAndGet()),
          () ->
              source.set(
                  "tenrec.command.A.fallback.isolation.semaphore.maxConcurrentRequests",
                  "" + right.incrementAndGet()));
      assertThat(live.current().requestVolumeThreshold()).isEqualTo(ROUNDS);
      assertThat(live.current().fallbackMaxConcurrent()).isEqualTo(ROUNDS);
    }
  }

  private static boolean torn(CommandSettings settings) {
    return settings.metrics().rollingWindowNanos()
        != settings.metrics().rollingBuckets() * 1_000_000_000L;
  }

  private static void pair(MapSource source, String window, String buckets) {
    source.set(Map.of(WINDOW, window, BUCKETS, buckets));
  }

  private static void run(Runnable... actions) throws Exception {
    CyclicBarrier start = new CyclicBarrier(actions.length);
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (Runnable action : actions) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  start.await();
                  for (int i = 0; i < ROUNDS; i++) {
                    action.run();
                  }
                } catch (Throwable thrown) {
                  failures.add(thrown);
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
  }
}
