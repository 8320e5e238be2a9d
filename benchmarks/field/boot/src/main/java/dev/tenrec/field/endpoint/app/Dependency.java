// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint.app;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Asks the service by HTTP, and counts. Knows nothing of time-outs: commands do. Thread-safe. */
@Component
class Dependency {

  private static final int OK = 200;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI work;

  /** Written by the console, read by the asking threads. */
  private volatile String run = "";

  // Written by the asking threads, read by the console.
  private final AtomicLong asked = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong brokenOff = new AtomicLong();

  Dependency(@Value("${endpoint.dependency}") URI work) {
    this.work = work;
  }

  /** From now on requests are of the run of this number, which the service counts. */
  void begin(String number) {
    run = number;
  }

  Answer work() throws IOException, InterruptedException {
    // its number has the service know a call that the HTTP client sends once more by itself
    URI call = URI.create(work + "?run=" + run + "&call=" + asked.incrementAndGet());
    AtomicLong ending = brokenOff;
    try {
      HttpResponse<String> answer =
          http.send(HttpRequest.newBuilder(call).build(), BodyHandlers.ofString());
      if (answer.statusCode() != OK) {
        throw new IOException(work + " answered " + answer.statusCode());
      }
      ending = answered;
      return new Answer(answer.body(), false);
    } finally {
      ending.incrementAndGet();
    }
  }

  Map<String, Long> counts() {
    return Map.of("asked", asked.get(), "answered", answered.get(), "brokenOff", brokenOff.get());
  }
}
