// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.context.RequestLog;
import dev.tenrec.metrics.event.EventType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CommandLogTest {

  private static final int SUCCESS = 1 << EventType.SUCCESS.ordinal();
  private static final int CACHED = SUCCESS | 1 << EventType.RESPONSE_FROM_CACHE.ordinal();
  private static final long MILLI = 1_000_000;

  /** Row 166: first-seen order, alike calls merged, latencies summed, events in their order. */
  @Test
  void toString_alikeCalls_areOneWord() {
    CommandLog log = new CommandLog(10);
    log.add("GetUser", SUCCESS, 12 * MILLI);
    log.add("GetUser", CACHED, 1 * MILLI);
    log.add("GetPlace", SUCCESS, 5 * MILLI);
    log.add("GetUser", CACHED, 2 * MILLI);
    log.add("GetUser", CACHED, 1 * MILLI);
    assertThat(log.read())
        .hasToString(
            "GetUser[SUCCESS][12ms], GetUser[SUCCESS, RESPONSE_FROM_CACHE][4ms]x3,"
                + " GetPlace[SUCCESS][5ms]");
  }

  @Test
  void read_entries_areInTheirOrder() {
    CommandLog log = new CommandLog(10);
    log.add("A", SUCCESS, 3);
    log.add("B", CACHED, 4);
    RequestLog read = log.read();
    assertThat(read.entries()).extracting(RequestLog.Entry::commandKey).containsExactly("A", "B");
    assertThat(read.entries().get(1).events())
        .containsExactly(EventType.SUCCESS, EventType.RESPONSE_FROM_CACHE);
    assertThat(read.entries().get(0).latency()).isEqualTo(Duration.ofNanos(3));
    assertThat(read.dropped()).isZero();
    assertThat(new CommandLog(3).read()).hasToString("");
  }

  /** Row 165. */
  @Test
  void add_beyondTheLimit_isCountedOnly() {
    CommandLog log = new CommandLog(20);
    for (int i = 0; i < 23; i++) {
      log.add("A", SUCCESS, MILLI);
    }
    assertThat(log.read().entries()).hasSize(20);
    assertThat(log.read().dropped()).isEqualTo(3);
    assertThat(log.read()).hasToString("A[SUCCESS][20ms]x20 and 3 more");

    CommandLog none = new CommandLog(0);
    none.add("A", SUCCESS, 1);
    assertThat(none.read().entries()).isEmpty();
    assertThat(none.read().dropped()).isOne();
  }

  @Test
  @Tag("race")
  void add_byManyThreads_losesNone() {
    CommandLog log = new CommandLog(5_000);
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int writer = 0; writer < 4; writer++) {
      writers.add(
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 2_000; i++) {
                  log.add("A", SUCCESS, 1);
                }
              }));
    }
    writers.forEach(CompletableFuture::join);
    RequestLog read = log.read();
    assertThat(read.entries()).hasSize(5_000);
    assertThat(read.dropped()).isEqualTo(3_000);
  }
}
