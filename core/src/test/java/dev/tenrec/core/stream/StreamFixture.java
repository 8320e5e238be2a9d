// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.StreamCommandBuilder;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CommandView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A Tenrec in manual time, a source in the test's hands, and a command around it. */
public abstract class StreamFixture {

  public static final Duration FIRST = Duration.ofSeconds(1);
  public static final Duration BETWEEN = Duration.ofMillis(100);

  @RegisterExtension final LeakGuard leaks = new LeakGuard();

  public final ManualTime time = new ManualTime();
  public final Tenrec tenrec = leaks.watch(builder().time(time, time).build());
  public final StreamSource source = new StreamSource();
  public final StreamSource second = new StreamSource();

  /** Before the guard looks: closing needs time to go on. */
  @AfterEach
  public void close() {
    LeakGuard.assertQuiet(tenrec);
    Elsewhere.close(tenrec, time);
  }

  public TenrecBuilder builder() {
    return Tenrec.builder();
  }

  public StreamCommandBuilder<String, String> ticks() {
    return tenrec.streamCommand("Ticks", (String symbol) -> source).timeout(FIRST);
  }

  /** Each event that was counted, as often as it was. */
  public static List<EventType> counted(CommandView view) {
    List<EventType> counted = new ArrayList<>();
    for (EventType event : EventType.values()) {
      for (long n = view.cumulativeCount(event); n > 0; n--) {
        counted.add(event);
      }
    }
    return counted;
  }

  /** In the end: a source is cancelled by its subscriber's thread or by one of the command's. */
  public static void assertFree(StreamCommand<?, ?> command) {
    Scenario.await()
        .untilAsserted(() -> assertThat(command.view().concurrency()).as("permits out").isZero());
  }

  /** As {@link #assertFree}. */
  public static void assertCancelled(StreamSource source) {
    Scenario.await().untilAsserted(() -> assertThat(source.cancels).hasValue(1));
  }

  public static void assertCounted(StreamCommand<?, ?> command, EventType... events) {
    assertThat(counted(command.view())).containsExactly(events);
  }
}
