// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Tenrec;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.export.CollectionRegistration;
import io.opentelemetry.sdk.metrics.export.MetricReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The snippets of docs/how-to/opentelemetry.md, compiled as they stand, and run. */
class OpenTelemetrySnippetsTest {

  private static final Pattern FENCED = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  /** Collects when asked. */
  private static final class AskedReader implements MetricReader {

    private CollectionRegistration registration = CollectionRegistration.noop();

    @Override
    public void register(CollectionRegistration registration) {
      this.registration = registration;
    }

    List<String> names() {
      return registration.collectAllMetrics().stream().map(metric -> metric.getName()).toList();
    }

    @Override
    public CompletableResultCode forceFlush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public AggregationTemporality getAggregationTemporality(InstrumentType type) {
      return AggregationTemporality.CUMULATIVE;
    }
  }

  @Test
  void registering() {
    AskedReader reader = new AskedReader();
    try (Tenrec tenrec = Tenrec.create()) {
      SdkMeterProvider meterProvider =
          SdkMeterProvider.builder()
              .registerMetricReader(reader)
              .registerMetricProducer(
                  TenrecHistograms.of(tenrec)) // latencies, of Tenrec's own slots
              .build();
      OpenTelemetry telemetry = OpenTelemetrySdk.builder().setMeterProvider(meterProvider).build();
      TenrecMeters meters = TenrecMeters.register(tenrec, telemetry); // counts and gauges
      tenrec.command("One", (Integer i) -> i).build();
      assertThat(reader.names()).contains("tenrec.command.duration", "tenrec.commands");
      meters.close();
      meterProvider.close();
    }
  }

  @Test
  void tracing() {
    OpenTelemetry telemetry = OpenTelemetry.noop();
    Tenrec traced =
        Tenrec.builder()
            .listen(CallSpans.of(telemetry, Set.of("GetQuote")::contains))
            .propagate(new OpenTelemetryPropagator()) // the caller's span, where work runs
            .build();
    traced.set("tenrec.command.default.execution.isolation.thread.timeoutInMilliseconds", "600000");
    assertThat(traced.command("GetQuote", (Integer i) -> i).build().execute(1)).isOne();
    traced.close();
  }

  @Test
  void everySnippet_isCompiledAsItStands() throws Exception {
    String compiled =
        bare(
            Files.readString(
                Path.of("src/test/java/dev/tenrec/opentelemetry/OpenTelemetrySnippetsTest.java")));
    List<String> blocks = new ArrayList<>();
    Matcher fenced =
        FENCED.matcher(Files.readString(Path.of("..", "docs/how-to/opentelemetry.md")));
    while (fenced.find()) {
      blocks.add(fenced.group(1));
    }
    assertThat(blocks).hasSize(2).allSatisfy(block -> assertThat(compiled).contains(bare(block)));
  }

  private static String bare(String code) {
    return code.replaceAll("\\s+", "");
  }
}
