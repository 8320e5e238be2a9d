// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.archaius.ArchaiusSource;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.field.kit.LoopbackServer;
import java.io.IOException;
import java.net.URI;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A service whose every method is a command on one pool, until a setting says otherwise.
 *
 * <p>One thread takes requests in and hands them to the commands; a thread of the pool does the
 * work and sends the answer; a refusal is sent by the thread that takes in. There is no time-out
 * and no circuit breaker, so that all that happens is the pool's doing.
 */
final class Provider implements AutoCloseable {

  private static final int OK = 200;
  private static final int FAILED = 500;
  private static final int UNAVAILABLE = 503;

  private final HttpServer server;
  private final Business business;
  private final ArchaiusSource settings =
      ArchaiusSource.builder().threads(Provider::daemon).start();
  private final Tenrec tenrec = Tenrec.builder().source(settings).build();
  private final Map<Method, Command<Long, Integer>> commands = new EnumMap<>(Method.class);

  /**
   * What reads requests and begins calls. Written by the thread that takes the parent's lines, read
   * by the one that accepts connections, ordered by volatile access.
   */
  private volatile Readers readers = Readers.NONE;

  private final AtomicLong received = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();

  private Provider(HttpServer server, URI store) {
    this.server = server;
    this.business = new Business(store);
    server.setExecutor(work -> readers.executor().execute(work));
    // what the original began with: growing from 20 to 200, and no queue
    Isolation pool =
        Isolation.threadPool()
            .key(ProviderMain.SHARED_POOL)
            .coreSize(20)
            .maximumSize(200)
            .queueSize(0);
    for (Method method : Method.values()) {
      Command<Long, Integer> command =
          tenrec
              .command(method.key(), (Long user) -> business.perform(method, user))
              .isolation(pool)
              .withoutTimeout()
              .withoutCircuitBreaker()
              .build();
      commands.put(method, command);
      server.createContext("/" + method.key(), exchange -> handle(command, exchange));
    }
  }

  /**
   * Starts one.
   *
   * @param port where, or 0 for a free one
   */
  static Provider open(int port, URI store) throws IOException {
    Provider provider = new Provider(LoopbackServer.bind(port), store);
    provider.server.start();
    return provider;
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "provider-settings");
    thread.setDaemon(true);
    return thread;
  }

  URI uri() {
    return LoopbackServer.uri(server);
  }

  private void handle(Command<Long, Integer> command, HttpExchange exchange) {
    // the driver asks one address again and again, so this says whose list it is
    long user = received.incrementAndGet();
    var unused =
        command
            .executeAsync(user)
            .whenComplete(
                (number, failed) -> {
                  answered.incrementAndGet();
                  Replies.send(exchange, status(failed), number + "\n");
                });
  }

  private static int status(@Nullable Throwable failed) {
    if (failed == null) {
      return OK;
    }
    return failed instanceof CommandRejectedException ? UNAVAILABLE : FAILED;
  }

  /**
   * Has exactly these settings in force, in one change; the calls that are under way go on.
   *
   * @throws IllegalArgumentException if one of them was refused
   */
  void settings(Map<String, String> values) {
    long refused = tenrec.refusedSettings();
    settings.replace(values);
    if (tenrec.refusedSettings() > refused) {
      throw new IllegalArgumentException("refused settings among " + values);
    }
  }

  /** Has so many threads read requests from now on. To be called while there are none. */
  void readers(int threads) {
    Readers before = readers;
    readers = Readers.of(threads);
    before.close();
  }

  long received() {
    return received.get();
  }

  long answered() {
    return answered.get();
  }

  List<Command<Long, Integer>> commands() {
    return List.copyOf(commands.values());
  }

  Tenrec tenrec() {
    return tenrec;
  }

  @Override
  public void close() throws IOException {
    server.stop(0);
    readers.close();
    business.close();
    tenrec.close();
    settings.close();
  }
}
