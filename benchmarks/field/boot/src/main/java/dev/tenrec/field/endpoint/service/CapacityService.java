// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tenrec.field.kit.LoopbackServer;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A service on loopback that works on two requests at a time, as a database with two connections
 * would; the others wait their turn. That, and nothing else, bounds what can be had of it.
 */
final class CapacityService implements AutoCloseable {

  /** How many requests it works on at once. */
  static final int SLOTS = 2;

  private static final int OK = 200;
  private static final byte[] ANSWER = "done\n".getBytes(StandardCharsets.US_ASCII);

  private final Ticker ticker = Ticker.system();
  private final Waiter waiter = Waiter.system();
  private final WorkTimes times = new WorkTimes();
  private final HttpServer server;
  private final ExecutorService slots;

  // Written by the threads of the slots, read by the asking threads.
  private final AtomicLong received = new AtomicLong();
  private final AtomicLong repeated = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong gone = new AtomicLong();
  private final AtomicLong busyNanos = new AtomicLong();

  /** What was asked for in this run, each call by its number. Written by the slots' threads. */
  private final Set<String> calls = ConcurrentHashMap.newKeySet();

  /** Handed to the slots and not ended: raised by the server's thread, lowered by the slots'. */
  private final AtomicLong pending = new AtomicLong();

  /**
   * Which requests are counted. Written by the thread that begins a run, read by the slots'
   * threads.
   */
  private volatile String run = "run=0&";

  private CapacityService(HttpServer server) {
    this.server = server;
    AtomicInteger number = new AtomicInteger();
    this.slots =
        Executors.newFixedThreadPool(
            SLOTS, work -> new Thread(work, "slot-" + number.incrementAndGet()));
  }

  /** Starts one, on a free port. */
  static CapacityService open() throws IOException {
    CapacityService service = new CapacityService(LoopbackServer.bind(0));
    service.server.createContext("/work", service::work);
    service.server.setExecutor(service::hand);
    service.server.start();
    return service;
  }

  /** Where its work is to be had. */
  URI uri() {
    return LoopbackServer.uri(server).resolve("work");
  }

  private void hand(Runnable exchange) {
    pending.incrementAndGet();
    slots.execute(
        () -> {
          try {
            exchange.run();
          } finally {
            pending.decrementAndGet();
          }
        });
  }

  /**
   * Counts from 0, and only requests of this run: one that was broken off before may still be on
   * its way.
   */
  Map<String, Long> begin(String number) {
    run = "run=" + number + "&";
    calls.clear();
    received.set(0);
    repeated.set(0);
    answered.set(0);
    gone.set(0);
    busyNanos.set(0);
    times.begin();
    return Map.of();
  }

  /** What it was asked since it began. */
  Map<String, Long> counts() {
    return Map.of(
        "received", received.get(),
        "repeated", repeated.get(),
        "answered", answered.get(),
        "gone", gone.get(),
        "busyMicros", busyNanos.get() / 1_000,
        "pending", pending.get());
  }

  private void work(HttpExchange exchange) {
    long beganNanos = ticker.nanoTime();
    String call = exchange.getRequestURI().getQuery();
    boolean counted = call != null && call.startsWith(run);
    count(received, counted);
    count(repeated, counted && !calls.add(call));
    long untilNanos = beganNanos + times.nextNanos();
    while (ticker.nanoTime() - untilNanos < 0) {
      waiter.awaitUntil(untilNanos);
    }
    if (counted) {
      busyNanos.addAndGet(ticker.nanoTime() - beganNanos);
    }
    try (exchange) {
      byte[] unused = exchange.getRequestBody().readAllBytes();
      exchange.sendResponseHeaders(OK, ANSWER.length);
      exchange.getResponseBody().write(ANSWER);
      count(answered, counted);
    } catch (IOException callerGone) {
      count(gone, counted);
    }
  }

  private static void count(AtomicLong counter, boolean counted) {
    if (counted) {
      counter.incrementAndGet();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    slots.shutdownNow();
  }
}
