// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.http;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.InterruptedByTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request and its reply on one connection. Its steps follow each other, each on whichever
 * thread of the group the one before ended; the group orders them.
 */
final class Exchange {

  private static final int BUFFER_BYTES = 2_048;

  private final AsyncHttp client;
  private final AsynchronousSocketChannel channel;
  private final ByteBuffer out;
  private final ByteBuffer in = ByteBuffer.allocate(BUFFER_BYTES);
  private final Deadline deadline;
  private final ReplyReader reply;
  private final CompletableFuture<Integer> status;

  Exchange(
      AsyncHttp client,
      AsynchronousSocketChannel channel,
      byte[] request,
      Deadline deadline,
      ReplyReader reply,
      CompletableFuture<Integer> status) {
    this.client = client;
    this.channel = channel;
    this.out = ByteBuffer.wrap(request);
    this.deadline = deadline;
    this.reply = reply;
    this.status = status;
  }

  /** Of all steps the one that has no time-out of its own, and may wait for a full queue. */
  void connect(SocketAddress address) throws IOException {
    CompletableFuture<@Nullable Void> connected = new CompletableFuture<>();
    channel.connect(address, null, new Connecting(connected));
    var unused =
        connected
            .orTimeout(deadline.leftMillis(), TimeUnit.MILLISECONDS)
            .whenComplete((nothing, late) -> connected(late));
  }

  private void connected(@Nullable Throwable late) {
    if (late != null) {
      failed(late instanceof TimeoutException ? deadline.passed("no connection") : late);
      return;
    }
    try {
      write();
    } catch (RuntimeException closedMeanwhile) {
      failed(closedMeanwhile);
    }
  }

  /** Begins it on a connection there is. */
  void write() {
    try {
      channel.write(
          out, deadline.leftMillis(), TimeUnit.MILLISECONDS, null, new Step<>(this::written));
    } catch (IOException tooLate) {
      failed(tooLate);
    }
  }

  private void written(int count) {
    if (out.hasRemaining()) {
      write();
    } else {
      read();
    }
  }

  private void read() {
    in.clear();
    try {
      channel.read(
          in, deadline.leftMillis(), TimeUnit.MILLISECONDS, null, new Step<>(this::arrived));
    } catch (IOException tooLate) {
      failed(tooLate);
    }
  }

  private void arrived(int count) {
    try {
      if (count < 0) {
        failed(new IOException("the connection ended before the reply"));
      } else if (reply.take(in.array(), count)) {
        ended();
      } else {
        read();
      }
    } catch (IOException notHttp) {
      failed(notHttp);
    }
  }

  private void ended() {
    if (reply.keepAlive()) {
      client.giveBack(channel);
    } else {
      client.drop(channel);
    }
    status.complete(reply.status());
  }

  private void failed(Throwable error) {
    client.drop(channel);
    status.completeExceptionally(error);
  }

  /** The first of it and the time-out decides. */
  private record Connecting(CompletableFuture<@Nullable Void> connected)
      implements CompletionHandler<@Nullable Void, @Nullable Object> {

    @Override
    public void completed(@Nullable Void nothing, @Nullable Object unused) {
      connected.complete(null);
    }

    @Override
    public void failed(Throwable error, @Nullable Object unused) {
      connected.completeExceptionally(error);
    }
  }

  /** Goes on with what came, or fails the exchange. */
  private final class Step<V extends @Nullable Object>
      implements CompletionHandler<V, @Nullable Object> {

    private final Consumer<V> next;

    Step(Consumer<V> next) {
      this.next = next;
    }

    @Override
    public void completed(V result, @Nullable Object unused) {
      try {
        next.accept(result);
      } catch (RuntimeException closedMeanwhile) {
        Exchange.this.failed(closedMeanwhile);
      }
    }

    @Override
    public void failed(Throwable error, @Nullable Object unused) {
      Exchange.this.failed(
          error instanceof InterruptedByTimeoutException ? deadline.passed("no reply") : error);
    }
  }
}
