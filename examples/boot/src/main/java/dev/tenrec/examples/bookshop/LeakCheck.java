// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop;

import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;

/**
 * What is there after the context was closed.
 *
 * @param threads of Tenrec's, by name
 * @param listening whether somebody still answers at the shop's port
 */
record LeakCheck(List<String> threads, boolean listening) {

  private static final long PATIENCE_NANOS = Duration.ofSeconds(30).toNanos();
  private static final long LOOK_NANOS = Duration.ofMillis(5).toNanos();

  /** Waits a little: a thread dies a moment after it was asked to. */
  static LeakCheck of(Tenrec tenrec, int port) {
    Ticker ticker = Ticker.system();
    long lastNanos = ticker.nanoTime() + PATIENCE_NANOS;
    while (tenrec.liveThreads() + names().size() > 0 && ticker.nanoTime() < lastNanos) {
      Waiter.system().awaitUntil(ticker.nanoTime() + LOOK_NANOS);
    }
    return new LeakCheck(names(), answers(port));
  }

  private static List<String> names() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("tenrec-"))
        .sorted()
        .toList();
  }

  private static boolean answers(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
      return true;
    } catch (IOException nobody) {
      return false;
    }
  }
}
