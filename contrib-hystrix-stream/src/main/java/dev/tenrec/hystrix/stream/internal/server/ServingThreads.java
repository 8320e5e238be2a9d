// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.server;

import com.sun.net.httpserver.HttpServer;
import dev.tenrec.metrics.time.Ticker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
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

  /** How long a write that is under way may take when its stream ends. */
  private static final long MOMENT_MILLIS = 100;

  private final ThreadPoolExecutor threads;
  private final ScheduledThreadPoolExecutor watch;
  private final Ticker ticker;
  private final long patienceNanos;
  private final long momentMillis;

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
    this(
        name,
        most,
        patienceNanos,
        ticker,
        new ScheduledThreadPoolExecutor(1, daemons(name + "-watch")),
        MOMENT_MILLIS);
  }

  /** For tests that say how long its moments are, and when they are over. */
  ServingThreads(
      String name,
      int most,
      long patienceNanos,
      Ticker ticker,
      ScheduledThreadPoolExecutor watching,
      long momentMillis) {
    this.ticker = ticker;
    this.momentMillis = momentMillis;
    this.patienceNanos = patienceNanos;
    threads =
        new ThreadPoolExecutor(
            0, most, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), daemons(name + "-request"));
    watch = watching;
    watch.setRemoveOnCancelPolicy(true);
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
   * Makes a server that is not bound. It has a thread and a socket already, so it is made after
   * these threads, which may find none; they are closed if it cannot be made.
   *
   * @throws IOException if it cannot be made
   */
  public HttpServer server() throws IOException {
    try {
      return HttpServer.create();
    } catch (IOException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /**
   * Starts a server on these threads. What waits for its connections is a thread that the server
   * makes itself, and is a daemon as the one that starts it, so that it keeps no JVM alive. The
   * address is taken last of all, for the JDK's server does not give it back unless it has run: not
   * if it is its own thread that cannot be started.
   *
   * @param server one that is not bound
   * @throws IOException if the address cannot be had
   */
  public void start(HttpServer server, InetSocketAddress address) throws IOException {
    server.setExecutor(this);
    try {
      CompletableFuture.runAsync(() -> begin(server, address), threads).join();
    } catch (CompletionException failed) {
      Throwable why = failed.getCause();
      if (why instanceof UncheckedIOException taken) {
        throw taken.getCause();
      }
      if (why instanceof Error error) {
        throw error;
      }
      throw why instanceof RuntimeException bad ? bad : failed;
    }
  }

  private static void begin(HttpServer server, InetSocketAddress address) {
    try {
      server.bind(address, 0);
    } catch (IOException taken) {
      throw new UncheckedIOException(taken);
    }
    server.start();
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

  /**
   * Has a stream's end be seen to a moment from now, on the thread that watches; here, if this is
   * closed.
   */
  Future<?> inAMoment(Runnable task) {
    try {
      return watch.schedule(task, momentMillis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closed) {
      task.run();
      return CompletableFuture.completedFuture(null);
    }
  }

  /**
   * Waits until all answers have ended, for two moments at most: a write that stalls is cut off
   * after the first, and what ends in order has its last write after that. Streams that nobody has
   * ended, as of a server beside which they go on, take both moments. Then interrupts all that is
   * left. Idempotent.
   */
  @Override
  public void close() {
    watch.shutdown(); // which runs what was to be in a moment, and nothing else
    threads.shutdown();
    try {
      boolean unused = threads.awaitTermination(2 * momentMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    threads.shutdownNow();
  }
}
