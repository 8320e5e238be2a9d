// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenrec.examples.bookshop.shop.Book;
import dev.tenrec.metrics.time.Ticker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Some threads that look at one shelf after the other, until they are told to stop. */
final class Visitors {

  private static final int COUNT = 4;
  private static final int SHELVES = 4;
  private static final int OK = 200;
  private static final TypeReference<List<Book>> BOOKS = new TypeReference<>() {};

  private final Ticker ticker = Ticker.system();
  private final ObjectMapper json = new ObjectMapper();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI shop;
  private final List<Thread> threads = new ArrayList<>();
  private final ConcurrentLinkedQueue<Visits.Visit> seen = new ConcurrentLinkedQueue<>();

  /** Written by who drives the run, read by each visitor before a visit. */
  private volatile String part = "before";

  /** Written by who drives the run, read by each visitor before a visit. */
  private volatile boolean stopped;

  Visitors(URI shop) {
    this.shop = shop;
  }

  /** One visit that does not count: what the JVM has to load for it would look like a slow shop. */
  void first() throws IOException, InterruptedException {
    List<Book> unused = visit(0);
  }

  void start() {
    for (int i = 0; i < COUNT; i++) {
      int first = i;
      Thread thread = new Thread(() -> visitAll(first), "visitor-" + i);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
  }

  /** From now on visits belong to another part of the run. */
  void part(String name) {
    part = name;
  }

  /** Ends after the visits under way. */
  void stop() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** What was seen in one part. */
  Visits seen(String of) {
    return new Visits(of, seen.stream().filter(visit -> visit.part().equals(of)).toList());
  }

  private void visitAll(int first) {
    for (int shelf = first; !stopped; shelf = (shelf + 1) % SHELVES) {
      String during = part;
      long beginNanos = ticker.nanoTime();
      List<Book> books;
      try {
        books = visit(shelf);
      } catch (IOException e) {
        books = List.of();
      } catch (InterruptedException e) {
        return;
      }
      seen.add(new Visits.Visit(during, ticker.nanoTime() - beginNanos, books));
    }
  }

  private List<Book> visit(int shelf) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(shop.resolve("shelves/" + shelf)).build();
    HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
    if (answer.statusCode() != OK) {
      throw new IOException(answer.uri() + " answered " + answer.statusCode() + ", expected 200");
    }
    return json.readValue(answer.body(), BOOKS);
  }
}
