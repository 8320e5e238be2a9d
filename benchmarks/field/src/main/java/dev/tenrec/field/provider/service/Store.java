// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tenrec.field.kit.LoopbackServer;
import java.io.IOException;
import java.net.URI;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * What the provider waits for: for each method it takes its time, and so many at once. Who comes
 * when all places are taken waits here, as at a database.
 */
final class Store implements AutoCloseable {

  private final HttpServer server;
  private final Map<Method, Places> places = new EnumMap<>(Method.class);
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "store-clock");
            thread.setDaemon(true);
            return thread;
          });

  private Store(HttpServer server) {
    this.server = server;
    for (Method method : Method.values()) {
      Places own = new Places(method.storePlaces());
      places.put(method, own);
      server.createContext(
          "/" + method.key(), exchange -> own.enter(() -> begin(method, own, exchange)));
    }
  }

  static Store open() throws IOException {
    Store store = new Store(LoopbackServer.bind(0));
    store.server.start();
    return store;
  }

  URI uri() {
    return LoopbackServer.uri(server);
  }

  private void begin(Method method, Places own, HttpExchange exchange) {
    Future<?> unused =
        clock.schedule(
            () -> end(own, exchange), method.storeTime().toNanos(), TimeUnit.NANOSECONDS);
  }

  private static void end(Places own, HttpExchange exchange) {
    own.leave();
    Replies.send(exchange, 200, "ok\n");
  }

  /** By method: how many came, and the most that were there at once since the last time. */
  Map<String, Double> figures() {
    Map<String, Double> figures = new TreeMap<>();
    places.forEach(
        (method, own) -> {
          figures.put(method.key() + ".entered", (double) own.entered());
          figures.put(method.key() + ".mostPresent", (double) own.takeMostPresent());
        });
    return figures;
  }

  @Override
  public void close() {
    server.stop(0);
    clock.shutdownNow();
  }
}
