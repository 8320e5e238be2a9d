// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config.archaius;

import static org.assertj.core.api.Assertions.assertThat;

import com.netflix.archaius.config.DefaultSettableConfig;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("race")
class ArchaiusSourceRaceTest {

  private static final int ROUNDS = 1_000;

  @Test
  void layersChangingAtOnce_noneIsLost() throws Exception {
    DefaultSettableConfig first = new DefaultSettableConfig("first");
    DefaultSettableConfig second = new DefaultSettableConfig("second");
    try (ArchaiusSource source =
        ArchaiusSource.builder().config(first).config(second).threads(Thread::new).start()) {
      ConcurrentLinkedQueue<Map<String, String>> seen = new ConcurrentLinkedQueue<>();
      source.subscribe(() -> seen.add(source.values("race")));
      CyclicBarrier start = new CyclicBarrier(3);
      List<Thread> threads =
          Stream.<IntConsumer>of(
                  i -> first.setProperty("race.first", i),
                  i -> second.setProperty("race.second", i),
                  i -> source.set("race.memory", "" + i))
              .map(
                  action ->
                      new Thread(
                          () -> {
                            try {
                              start.await();
                            } catch (Exception broken) {
                              throw new IllegalStateException(broken);
                            }
                            for (int i = 1; i <= ROUNDS; i++) {
                              action.accept(i);
                            }
                          }))
              .toList();
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      Map<String, String> last =
          Map.of("race.first", "" + ROUNDS, "race.second", "" + ROUNDS, "race.memory", "" + ROUNDS);
      assertThat(source.values("race")).isEqualTo(last);
      assertThat(seen).contains(last);
    }
  }
}
