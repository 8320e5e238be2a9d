// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.published;

import com.sun.net.httpserver.HttpServer;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.opentelemetry.TenrecHistograms;
import dev.tenrec.opentelemetry.TenrecMeters;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The metrics of a Tenrec, sent by OTLP over HTTP and decoded. */
final class Otlp implements AutoCloseable {

  private final HttpServer server;
  private final SdkMeterProvider provider;
  private final TenrecMeters meters;

  /** Of the last export. Written by the server's thread, read by the test's after the export. */
  private volatile List<Metric> received = List.of();

  Otlp(Tenrec tenrec) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/v1/metrics",
        exchange -> {
          try (exchange) {
            received =
                ExportMetricsServiceRequest.parseFrom(exchange.getRequestBody().readAllBytes())
                    .getResourceMetricsList()
                    .stream()
                    .flatMap(resource -> resource.getScopeMetricsList().stream())
                    .filter(scope -> scope.getScope().getName().equals("dev.tenrec"))
                    .flatMap(scope -> scope.getMetricsList().stream())
                    .toList();
            exchange.sendResponseHeaders(200, -1);
          }
        });
    server.start();
    provider =
        SdkMeterProvider.builder()
            .registerMetricReader(
                PeriodicMetricReader.builder(
                        OtlpHttpMetricExporter.builder()
                            .setEndpoint(
                                "http://localhost:" + server.getAddress().getPort() + "/v1/metrics")
                            .setTimeout(PatientWaits.patience())
                            .build())
                    .setInterval(Duration.ofHours(1))
                    .build())
            .registerMetricProducer(TenrecHistograms.of(tenrec))
            .build();
    meters =
        TenrecMeters.register(
            tenrec, OpenTelemetrySdk.builder().setMeterProvider(provider).build());
  }

  /** One export, as it has arrived. */
  List<Metric> export() {
    received = List.of();
    if (!provider.forceFlush().join(PatientWaits.seconds(), TimeUnit.SECONDS).isSuccess()) {
      throw new AssertionError("the export failed");
    }
    return received;
  }

  static String attribute(List<KeyValue> attributes, String key) {
    return attributes.stream()
        .filter(each -> each.getKey().equals(key))
        .map(each -> each.getValue().getStringValue())
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + key + " in " + attributes));
  }

  @Override
  public void close() {
    meters.close();
    provider.close();
    server.stop(0);
  }
}
