// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.opentelemetry;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Takes what an exporter sends over HTTP, and decodes it. */
final class OtlpReceiver implements AutoCloseable {

  /** Of the last export. */
  volatile List<Metric> metrics = List.of();

  final List<Span> spans = new CopyOnWriteArrayList<>();
  private final HttpServer server;

  OtlpReceiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (exchange.getRequestURI().getPath().endsWith("/metrics")) {
              metrics =
                  ExportMetricsServiceRequest.parseFrom(body).getResourceMetricsList().stream()
                      .flatMap(resource -> resource.getScopeMetricsList().stream())
                      .filter(scope -> scope.getScope().getName().equals("dev.tenrec"))
                      .flatMap(scope -> scope.getMetricsList().stream())
                      .toList();
            } else {
              ExportTraceServiceRequest.parseFrom(body).getResourceSpansList().stream()
                  .flatMap(resource -> resource.getScopeSpansList().stream())
                  .forEach(scope -> spans.addAll(scope.getSpansList()));
            }
            exchange.sendResponseHeaders(200, -1);
          }
        });
    server.start();
  }

  String endpoint(String signal) {
    return "http://localhost:" + server.getAddress().getPort() + "/v1/" + signal;
  }

  Metric metric(String name) {
    return metrics.stream()
        .filter(metric -> metric.getName().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + name));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
