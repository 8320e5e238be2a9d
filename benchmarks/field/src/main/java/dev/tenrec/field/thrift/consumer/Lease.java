// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.consumer;

import dev.tenrec.field.thrift.wire.EchoClient;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A client for one call. It ends once: given back, or broken off, which may come from another
 * thread and so late that the client is already somebody else's.
 */
final class Lease {

  private final Connections connections;
  private final EchoClient client;

  /** Written by the first thread to end it: the caller, or a canceller. */
  private final AtomicBoolean ended = new AtomicBoolean();

  Lease(Connections connections, EchoClient client) {
    this.connections = connections;
    this.client = client;
  }

  EchoClient client() {
    return client;
  }

  /** All went well, and another may have it. */
  void giveBack() {
    if (ended.compareAndSet(false, true)) {
      connections.giveBack(client);
    }
  }

  /**
   * Closes the connection, so that a thread that waits for it is woken. Without effect at the end.
   */
  void breakOff() {
    if (ended.compareAndSet(false, true)) {
      client.close();
    }
  }
}
