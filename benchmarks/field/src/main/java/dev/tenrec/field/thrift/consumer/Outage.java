// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.consumer;

import dev.tenrec.field.kit.RunClock;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.thrift.wire.EchoCall;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a full outage costs: calls by one command to a provider that refuses each connection.
 *
 * @param strategy of the command
 * @param calls all of which fail
 * @param connects what the provider's machine gets: each attempt tries to connect once
 * @param seconds how long that took
 * @param counts of the command
 */
public record Outage(
    Strategy strategy, long calls, long connects, double seconds, Map<String, Long> counts) {

  /** Calls that are made at once. */
  private static final int CALLERS = 64;

  private static final double WINDOW_SECONDS = 10;

  /**
   * Makes so many calls.
   *
   * @param attempt how long one attempt may take; they fail at once
   * @param stop ends it early
   */
  public static Outage run(Strategy strategy, int calls, Duration attempt, Stop stop)
      throws IOException, InterruptedException {
    // bound, so that nobody else gets the port, and never listening, so that it refuses
    try (Socket closed = new Socket()) {
      closed.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Connections connections = new Connections(closed.getLocalPort());
      EchoCall call = new EchoCall(1, ByteBuffer.wrap(new byte[1]));
      Caller caller = new Caller(connections, call, attempt, 1);
      try (Guarded route = Guarded.attempting(caller, strategy, CALLERS, attempt)) {
        RunClock clock = new RunClock();
        long made = make(route, calls, stop);
        double seconds = clock.nanos() / 1e9;
        return new Outage(strategy, made, connections.opened(), seconds, route.gauges());
      }
    }
  }

  private static long make(Route route, int calls, Stop stop)
      throws IOException, InterruptedException {
    AtomicLong next = new AtomicLong();
    AtomicLong made = new AtomicLong();
    ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        running.add(
            callers.submit(
                () -> {
                  while (next.getAndIncrement() < calls && !stop.asked()) {
                    Route.Reply unused = route.call();
                    made.incrementAndGet();
                  }
                }));
      }
      for (Future<?> one : running) {
        one.get();
      }
      return made.get();
    } catch (ExecutionException broken) {
      throw new IOException("a caller of the outage broke: " + broken.getCause(), broken);
    } finally {
      callers.shutdownNow();
    }
  }

  /**
   * The most attempts that a budget allows: each of the windows in which it is spent, which do not
   * overlap, has its share of the calls and its fixed number.
   *
   * @param percent of the calls
   * @param perSecond besides
   * @param budgets how many commands have one, each with a part of the calls
   * @param seconds how long calls were made
   */
  public static long most(long calls, int percent, int perSecond, int budgets, double seconds) {
    long windows = (long) (seconds / WINDOW_SECONDS) + 1;
    return calls + calls * percent / 100 + windows * (long) WINDOW_SECONDS * perSecond * budgets;
  }

  /** Attempts for each call. */
  public double connectsForEachCall() {
    return calls == 0 ? 0 : (double) connects / calls;
  }
}
