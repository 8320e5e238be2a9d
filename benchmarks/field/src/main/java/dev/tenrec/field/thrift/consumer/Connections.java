// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.consumer;

import dev.tenrec.field.thrift.wire.EchoClient;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.thrift.TException;

/**
 * Connections to the provider, each with a client of its own, which one thread has at a time. There
 * are as many as threads that call at once. Thread-safe.
 */
final class Connections {

  private final int port;

  /** Nobody's: put back and taken by callers, the last one first. */
  private final Deque<EchoClient> idle = new ConcurrentLinkedDeque<>();

  private final AtomicLong opened = new AtomicLong();

  Connections(int port) {
    this.port = port;
  }

  /**
   * An idle one, or a new one.
   *
   * @param patience how long it may take to connect
   */
  Lease lease(Duration patience) throws TException {
    EchoClient known = idle.pollFirst();
    if (known != null) {
      return new Lease(this, known);
    }
    opened.incrementAndGet();
    return new Lease(this, EchoClient.connect(port, patience));
  }

  void giveBack(EchoClient client) {
    idle.addFirst(client);
  }

  /** Closes those that nobody uses. One that is given back later stays open. */
  void closeIdle() {
    for (EchoClient one = idle.pollFirst(); one != null; one = idle.pollFirst()) {
      one.close();
    }
  }

  /** How often one was opened, or tried to be. */
  long opened() {
    return opened.get();
  }
}
