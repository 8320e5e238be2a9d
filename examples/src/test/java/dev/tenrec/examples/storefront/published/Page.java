// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.published;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A client of the console's stream that keeps what it was sent, as the page does. */
final class Page implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Where the counted events are in a command's row. */
  private static final int EVENTS = 13;

  private final InputStream body;

  /** All below is guarded by this. */
  private final List<String> events = new ArrayList<>();

  private final Map<Integer, String> names = new HashMap<>();
  private final Map<Integer, JsonNode> rows = new HashMap<>();

  Page(URI stream) throws IOException, InterruptedException {
    HttpResponse<InputStream> response =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(stream).build(), HttpResponse.BodyHandlers.ofInputStream());
    if (response.statusCode() != 200) {
      throw new AssertionError("the console answered " + response.statusCode());
    }
    body = response.body();
    Thread reading = new Thread(this::read, "page");
    reading.setDaemon(true);
    reading.start();
  }

  private void read() {
    try (BufferedReader reader = new BufferedReader(new InputStreamReader(body, UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.startsWith("data: ")) {
          take(JSON.readTree(line.substring("data: ".length())));
        }
      }
    } catch (IOException closed) {
      // by the test
    }
  }

  private synchronized void take(JsonNode event) {
    if (event.path("whole").asBoolean()) {
      names.clear();
      rows.clear();
      events.clear();
      event.get("events").forEach(name -> events.add(name.asText()));
    }
    JsonNode commands = event.path("commands");
    commands
        .path("gone")
        .forEach(
            id -> {
              names.remove(id.asInt());
              rows.remove(id.asInt());
            });
    commands.path("names").forEach(name -> names.put(name.get(0).asInt(), name.get(1).asText()));
    commands.path("rows").forEach(row -> rows.put(row.get(0).asInt(), row));
  }

  /** How often each event of each command was counted, as far as it was sent. */
  synchronized Map<String, Map<String, Long>> counts() {
    Map<String, Map<String, Long>> all = new TreeMap<>();
    names.forEach(
        (id, name) -> {
          Map<String, Long> counts = new HashMap<>();
          JsonNode row = rows.get(id);
          for (int i = 0; row != null && i < events.size(); i++) {
            counts.put(events.get(i), row.get(EVENTS).path(i).asLong());
          }
          all.put(name, counts);
        });
    return all;
  }

  @Override
  public void close() throws IOException {
    body.close();
  }
}
