// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop;

import dev.tenrec.examples.bookshop.shop.Book;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;

/** Some threads that look at one shelf after the other, until they are stopped. */
final class Visitors {

  private static final int COUNT = 4;
  private static final long PATIENCE_NANOS = Duration.ofMinutes(2).toNanos();
  private static final long LOOK_NANOS = Duration.ofMillis(5).toNanos();
  private static final int SHELVES = 4;
  private static final ParameterizedTypeReference<List<Book>> BOOKS =
      new ParameterizedTypeReference<>() {};

  private final Ticker ticker = Ticker.system();
  private final RestClient http;
  private final List<Thread> threads = new ArrayList<>();
  private final ConcurrentLinkedQueue<Visits.Visit> seen = new ConcurrentLinkedQueue<>();

  /** Written by the thread that drives the run, read by each visitor before a visit. */
  private volatile String part = "before";

  /** Written by the thread that drives the run, read by each visitor before a visit. */
  private volatile boolean stopped;

  Visitors(URI shop) {
    this.http =
        RestClient.builder()
            .baseUrl(shop)
            .requestFactory(
                new JdkClientHttpRequestFactory(
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()))
            .build();
  }

  /** One visit that does not count: what the JVM has to load for it would look like a slow shop. */
  void first() {
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

  /** Waits until there are some visits of this part, which a busy machine may put off. */
  void awaitSome(String of) {
    await(() -> seen(of).all().size() >= COUNT);
  }

  /** Waits until it shows in the visits, which on a busy machine may be later; not for ever. */
  void await(BooleanSupplier shown) {
    long lastNanos = ticker.nanoTime() + PATIENCE_NANOS;
    while (!shown.getAsBoolean()
        && ticker.nanoTime() < lastNanos
        && !Thread.currentThread().isInterrupted()) {
      Waiter.system().awaitUntil(ticker.nanoTime() + LOOK_NANOS);
    }
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
      } catch (RestClientException e) {
        books = List.of();
      }
      seen.add(new Visits.Visit(during, ticker.nanoTime() - beginNanos, books));
    }
  }

  private List<Book> visit(int shelf) {
    List<Book> books = http.get().uri("shelves/{shelf}", shelf).retrieve().body(BOOKS);
    return Objects.requireNonNull(books, "the shop answered null");
  }
}
