// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console;

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
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** A client of the stream that keeps what it was sent, as the page does. */
final class Watched implements AutoCloseable {

  static final ObjectMapper JSON = new ObjectMapper();
  static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final int TOO_MANY = 100_000;

  final HttpResponse<InputStream> response;
  private final BufferedReader reader;

  /** Of each command, by its id. */
  final Map<Integer, JsonNode> names = new HashMap<>();

  final Map<Integer, JsonNode> rows = new HashMap<>();
  final Map<Integer, JsonNode> reasons = new HashMap<>();
  JsonNode events;
  JsonNode states;
  int wholes;

  /** Of the last event on the wire. */
  int length;

  JsonNode last;

  private Watched(HttpResponse<InputStream> response) {
    this.response = response;
    this.reader = new BufferedReader(new InputStreamReader(response.body(), UTF_8));
  }

  static Watched of(Console console) throws Exception {
    return new Watched(
        HTTP.send(
            HttpRequest.newBuilder(console.uri().resolve("stream"))
                .timeout(PatientWaits.patience())
                .build(),
            HttpResponse.BodyHandlers.ofInputStream()));
  }

  static HttpResponse<String> get(URI uri) throws Exception {
    return HTTP.send(
        HttpRequest.newBuilder(uri).timeout(PatientWaits.patience()).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** Reads on until it is so. */
  void until(BooleanSupplier holds) throws IOException {
    long beginNanos = System.nanoTime();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() - beginNanos > PatientWaits.patience().toNanos()) {
        throw new AssertionError("it does not come");
      }
      next();
    }
  }

  void next() throws IOException {
    for (int i = 0; i < TOO_MANY; i++) {
      String line = reader.readLine();
      if (line == null) {
        throw new AssertionError("the stream has ended");
      }
      if (line.startsWith("data: ")) {
        length = line.length();
        take(JSON.readTree(line.substring(6)));
        return;
      }
    }
    throw new AssertionError("there is no event");
  }

  private void take(JsonNode event) {
    last = event;
    if (event.path("whole").asBoolean()) {
      wholes++;
      names.clear();
      rows.clear();
      reasons.clear();
      events = event.get("events");
      states = event.get("states");
    }
    JsonNode commands = event.path("commands");
    commands.path("gone").forEach(id -> forget(id.asInt()));
    commands.path("names").forEach(name -> names.put(name.get(0).asInt(), name));
    commands.path("rows").forEach(row -> rows.put(row.get(0).asInt(), row));
    commands.path("why").forEach(why -> reasons.put(why.get(0).asInt(), why));
  }

  private void forget(int id) {
    names.remove(id);
    rows.remove(id);
    reasons.remove(id);
  }

  /** The id of the command with this key; 0 if there is none. */
  int id(String key) {
    return names.values().stream()
        .filter(name -> name.get(1).asText().equals(key))
        .mapToInt(name -> name.get(0).asInt())
        .findAny()
        .orElse(0);
  }

  String state(String key) {
    JsonNode row = rows.get(id(key));
    return row == null ? "" : states.get(row.get(1).asInt()).asText();
  }

  long count(String key, String event) {
    JsonNode row = rows.get(id(key));
    for (int i = 0; row != null && i < events.size(); i++) {
      if (events.get(i).asText().equals(event)) {
        return row.get(13).path(i).asLong();
      }
    }
    return -1;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
