// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.http;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousSocketChannel;
import java.time.Duration;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Sends a request and reports its reply, on one of few threads. Thread-safe. */
final class AsyncHttp implements AutoCloseable {

  private final HttpAddress address;
  private final Request request;
  private final byte[] bytes;
  private final Duration timeout;
  private final Consumer<String> headers;
  private final AsynchronousChannelGroup group;

  /** Connections nobody uses: put back and taken by the threads that end and begin exchanges. */
  private final Deque<AsynchronousSocketChannel> idle = new ConcurrentLinkedDeque<>();

  /** All there are, so that closing reaches those in use. */
  private final Set<AsynchronousSocketChannel> open = ConcurrentHashMap.newKeySet();

  AsyncHttp(
      HttpAddress address, Request request, Duration timeout, int threads, Consumer<String> headers)
      throws IOException {
    this.address = address;
    this.headers = headers;
    this.request = request;
    this.bytes = request.bytes(address);
    this.timeout = timeout;
    AtomicInteger number = new AtomicInteger();
    this.group =
        AsynchronousChannelGroup.withFixedThreadPool(
            threads,
            work -> {
              Thread thread = new Thread(work, "load-async-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Completed with the status of the reply, on a thread of this client. */
  CompletableFuture<Integer> send() {
    CompletableFuture<Integer> status = new CompletableFuture<>();
    AsynchronousSocketChannel pooled = idle.pollFirst();
    try {
      AsynchronousSocketChannel channel = pooled == null ? newChannel() : pooled;
      ReplyReader reply = new ReplyReader(headers, request.isHead());
      Exchange exchange =
          new Exchange(this, channel, bytes, Deadline.after(timeout), reply, status);
      if (pooled == null) {
        exchange.connect(address.socket());
      } else {
        exchange.write();
      }
    } catch (IOException | RuntimeException failed) {
      status.completeExceptionally(failed);
    }
    return status;
  }

  private AsynchronousSocketChannel newChannel() throws IOException {
    AsynchronousSocketChannel channel = AsynchronousSocketChannel.open(group);
    open.add(channel);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    return channel;
  }

  void giveBack(AsynchronousSocketChannel channel) {
    idle.addFirst(channel);
  }

  void drop(AsynchronousSocketChannel channel) {
    open.remove(channel);
    try {
      channel.close();
    } catch (IOException alreadyGone) {
      // nobody uses it any more: that was the aim
    }
  }

  /** Breaks off what is going on. */
  @Override
  public void close() throws IOException {
    group.shutdownNow();
  }
}
