// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.server;

import com.sun.net.httpserver.HttpServer;
import dev.tenrec.metrics.time.Ticker;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The bounded threads of the JDK's server, one for each connection that sends a request or is
 * answered. One whose client does not send its request, or does not take a short answer, in time is
 * interrupted, which closes the connection: the server itself would wait for ever.
 */
public final class ServingThreads implements Executor, AutoCloseable {

  private final ThreadPoolExecutor threads;
  private final ScheduledThreadPoolExecutor watch;
  private final Ticker ticker;
  private final long patienceNanos;

  /** Since when each thread deals with a client that may keep it. */
  private final Map<Thread, Long> watched = new ConcurrentHashMap<>();

  /**
   * Starts the thread that watches; the others come with their connections.
   *
   * @param name what the names of all threads begin with
   * @param most how many connections may be served at once
   * @param patienceNanos how long a client may keep a thread waiting
   */
  public ServingThreads(String name, int most, long patienceNanos, Ticker ticker) {
    this.ticker = ticker;
    this.patienceNanos = patienceNanos;
    threads =
        new ThreadPoolExecutor(
            0, most, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), daemons(name + "-request"));
    watch = new ScheduledThreadPoolExecutor(1, daemons(name + "-watch"));
    long period = Math.max(1_000_000, Math.min(1_000_000_000, patienceNanos / 4));
    var unused =
        watch.scheduleWithFixedDelay(this::interruptLate, period, period, TimeUnit.NANOSECONDS);
  }

  private static ThreadFactory daemons(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /**
   * Starts a server on these threads. What waits for its connections is a thread that the server
   * makes itself, and is a daemon as the one that starts it, so that it keeps no JVM alive.
   */
  public void start(HttpServer server) {
    server.setExecutor(this);
    CompletableFuture.runAsync(server::start, threads).join();
  }

  @Override
  public void execute(Runnable exchange) {
    threads.execute(
        () -> {
          watch();
          try {
            exchange.run();
          } finally {
            leaveToItself();
          }
        });
  }

  /** From now on the current thread may be interrupted. */
  public void watch() {
    watched.put(Thread.currentThread(), ticker.nanoTime());
  }

  /** The current thread is not interrupted any more. */
  public void leaveToItself() {
    // atomic with interruptLate, for both go through the map's lock of that key
    if (watched.remove(Thread.currentThread()) != null) {
      var unused = Thread.interrupted();
    }
  }

  private void interruptLate() {
    long now = ticker.nanoTime();
    for (Thread thread : watched.keySet()) {
      watched.computeIfPresent(
          thread,
          (late, since) -> {
            if (now - since < patienceNanos) {
              return since;
            }
            late.interrupt();
            return now;
          });
    }
  }

  /** Interrupts all. Idempotent. */
  @Override
  public void close() {
    watch.shutdownNow();
    threads.shutdownNow();
  }
}
