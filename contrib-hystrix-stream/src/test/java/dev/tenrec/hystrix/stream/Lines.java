// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenrec.metrics.PatientWaits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.function.Predicate;

/** A client of a stream, as the dashboard is one: reads lines until it leaves. */
final class Lines implements AutoCloseable {

  static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  final HttpResponse<InputStream> response;
  private final BufferedReader reader;

  private Lines(HttpResponse<InputStream> response) {
    this.response = response;
    this.reader = new BufferedReader(new InputStreamReader(response.body(), UTF_8));
  }

  static Lines of(int port, String path) throws Exception {
    return new Lines(
        HTTP.send(
            HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .timeout(PatientWaits.patience())
                .build(),
            HttpResponse.BodyHandlers.ofInputStream()));
  }

  /** Null when it has ended. */
  String next() throws IOException {
    return reader.readLine();
  }

  /** The next event that fulfils this; it need not ever come. */
  JsonNode event(Predicate<JsonNode> wanted) throws IOException {
    long beginNanos = System.nanoTime();
    while (System.nanoTime() - beginNanos < PatientWaits.patience().toNanos()) {
      String line = next();
      if (line == null) {
        throw new AssertionError("the stream has ended");
      }
      if (line.startsWith("data: ")) {
        JsonNode event = JSON.readTree(line.substring(6));
        if (wanted.test(event)) {
          return event;
        }
      }
    }
    throw new AssertionError("it does not come");
  }

  /** Reads past the next line with this text, and does nothing of use with it: that is quick. */
  void skipTo(String text) throws IOException {
    String line = next();
    while (line != null && !line.contains(text)) {
      line = next();
    }
    if (line == null) {
      throw new AssertionError("the stream has ended");
    }
  }

  JsonNode event(String type, String name) throws IOException {
    return event(
        event ->
            event.path("type").asText().equals(type) && event.path("name").asText().equals(name));
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
