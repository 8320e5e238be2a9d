// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much processor and memory a scrape of 1,000 commands takes; by the thread's own clock. */
@Tag("external")
class ScrapeCostTest {

  private static final int COMMANDS = 1_000;
  private static final int WARM_UP = 60;
  private static final int MEASURED = 41;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain; version=0.0.4; charset=utf-8",
        "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily;"
            + " encoding=delimited"
      })
  void scrape_ofAThousandCommands_takesAtMostATenthOfASecondOfProcessor(String format)
      throws Exception {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (Tenrec tenrec = Tenrec.create();
        TenrecMetrics metrics = TenrecMetrics.of(tenrec)) {
      metrics.bindTo(registry);
      for (int i = 0; i < COMMANDS; i++) {
        Command<Integer, Integer> command =
            tenrec
                .command("Command" + i, (Integer n) -> n % 7 == 0 ? Integer.parseInt("down") : n)
                .group("Group" + i % 20)
                .isolation(Isolation.semaphore(10))
                .fallbackValue(-1)
                .build();
        for (int n = 0; n < 30; n++) {
          command.attempt(n);
        }
      }
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long self = Thread.currentThread().getId();
      long[] cpuNanos = new long[MEASURED];
      long[] allocated = new long[MEASURED];
      ByteArrayOutputStream out = new ByteArrayOutputStream(8_000_000);
      for (int i = -WARM_UP; i < MEASURED; i++) {
        out.reset();
        long memory = threads.getThreadAllocatedBytes(self);
        long begin = threads.getCurrentThreadCpuTime();
        registry.scrape(out, format);
        if (i >= 0) {
          cpuNanos[i] = threads.getCurrentThreadCpuTime() - begin;
          allocated[i] = threads.getThreadAllocatedBytes(self) - memory;
        }
      }
      Arrays.sort(cpuNanos);
      Arrays.sort(allocated);
      System.out.printf(
          Locale.ROOT,
          "A scrape of %d commands as %s: %.1f ms of processor (median of %d; least %.1f, most"
              + " %.1f), %.1f MB sent, %.1f MB allocated%n",
          COMMANDS,
          format.substring(0, format.indexOf(';')),
          cpuNanos[MEASURED / 2] / 1e6,
          MEASURED,
          cpuNanos[0] / 1e6,
          cpuNanos[MEASURED - 1] / 1e6,
          out.size() / 1e6,
          allocated[MEASURED / 2] / 1e6);
      assertThat(cpuNanos[MEASURED / 2]).isLessThanOrEqualTo(100_000_000);
      assertThat(allocated[MEASURED / 2]).isLessThanOrEqualTo(100_000_000);
    }
  }
}
