// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;

/** Sends a request and waits for its reply, on the calling thread. Thread-safe. */
final class BlockingHttp implements AutoCloseable {

  private static final int BUFFER_BYTES = 2_048;

  private final HttpAddress address;
  private final Request request;
  private final byte[] bytes;
  private final Duration timeout;
  private final Consumer<String> headers;

  /** Connections nobody uses: put back and taken by callers. */
  private final Deque<Socket> idle = new ConcurrentLinkedDeque<>();

  /** All there are, so that closing reaches those in use. */
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  /**
   * Written by the closing thread after which it goes through all; read by the threads that add
   * one.
   */
  private volatile boolean closed;

  BlockingHttp(HttpAddress address, Request request, Duration timeout, Consumer<String> headers) {
    this.address = address;
    this.request = request;
    this.bytes = request.bytes(address);
    this.timeout = timeout;
    this.headers = headers;
  }

  /** The status of the reply. */
  int send() throws IOException {
    Deadline deadline = Deadline.after(timeout);
    Socket pooled = idle.pollFirst();
    Socket socket = pooled == null ? connect(deadline) : pooled;
    boolean reusable = false;
    try {
      socket.getOutputStream().write(bytes);
      ReplyReader reply = read(socket, deadline);
      reusable = reply.keepAlive();
      return reply.status();
    } finally {
      if (reusable) {
        idle.addFirst(socket);
      } else {
        drop(socket);
      }
    }
  }

  private Socket connect(Deadline deadline) throws IOException {
    Socket socket = new Socket();
    open.add(socket);
    try {
      if (closed) {
        throw new IOException("the load has ended");
      }
      socket.setTcpNoDelay(true);
      socket.connect(address.socket(), deadline.leftMillis());
      return socket;
    } catch (IOException failed) {
      drop(socket);
      throw failed;
    }
  }

  private ReplyReader read(Socket socket, Deadline deadline) throws IOException {
    InputStream in = socket.getInputStream();
    ReplyReader reply = new ReplyReader(headers, request.isHead());
    byte[] buffer = new byte[BUFFER_BYTES];
    int count;
    do {
      socket.setSoTimeout(deadline.leftMillis());
      count = in.read(buffer);
      if (count < 0) {
        throw new IOException("the connection ended before the reply");
      }
    } while (!reply.take(buffer, count));
    return reply;
  }

  private void drop(Socket socket) throws IOException {
    open.remove(socket);
    socket.close();
  }

  /** Breaks off what is going on. */
  @Override
  public void close() throws IOException {
    closed = true;
    for (Socket socket : open) {
      socket.close();
    }
  }
}
