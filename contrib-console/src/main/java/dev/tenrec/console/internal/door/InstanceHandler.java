// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.door;

import com.sun.net.httpserver.HttpExchange;
import dev.tenrec.console.internal.relay.InstanceLine;
import dev.tenrec.console.internal.relay.NoLineException;
import dev.tenrec.console.internal.relay.RelayedStream;
import dev.tenrec.hystrix.stream.internal.feed.StreamResponse;
import dev.tenrec.hystrix.stream.internal.server.ServingThreads;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Hands on what the console of another instance says: an answer as a whole, a stream as it comes.
 * While a part is written the thread is watched, so that a page that takes nothing is given up.
 */
final class InstanceHandler {

  private static final int PIECE = 16_384;

  private final InstanceRelay relay;
  private final ServingThreads threads;

  /** Asks by this. */
  InstanceHandler(InstanceRelay relay, ServingThreads threads) {
    this.relay = relay;
    this.threads = threads;
  }

  /**
   * A story, or advice; or why there is none.
   *
   * @param part its name, with its query
   */
  Reply ask(String instance, String part) {
    threads.leaveToItself(); // the instance has time-outs of its own
    try {
      return relay.ask(instance, part);
    } finally {
      threads.watch();
    }
  }

  /**
   * Answers with a stream, until the instance or the page goes.
   *
   * @return why there is none; null if there was one
   */
  @Nullable Reply stream(HttpExchange exchange, String instance, String part) throws IOException {
    threads.leaveToItself();
    try (InstanceLine line = relay.open(instance, part)) {
      Reply head = Reply.stream(StreamResponse.CONTENT_TYPE);
      head.headers().forEach(exchange.getResponseHeaders()::set);
      StreamResponse.NOT_KEPT.forEach(exchange.getResponseHeaders()::set);
      threads.watch(); // a page that took none of its earlier answers may not take the head either
      exchange.sendResponseHeaders(200, 0);
      threads.leaveToItself();
      try (OutputStream out = exchange.getResponseBody()) {
        handOn(line, out);
        write(out, RelayedStream.goneEvent(instance));
        threads.watch(); // closing writes the end of the body
      }
      return null;
    } catch (NoLineException none) {
      return Reply.words(none.status(), none.words());
    } finally {
      threads.watch();
    }
  }

  private void handOn(InstanceLine line, OutputStream out) throws IOException {
    byte[] some = new byte[PIECE];
    int count = next(line, some);
    while (count >= 0) {
      write(out, some, count);
      count = next(line, some);
    }
  }

  /** Some of the stream; -1 if it has ended, however that was. */
  private static int next(InstanceLine line, byte[] into) {
    try {
      return line.read(into);
    } catch (IOException gone) {
      return -1;
    }
  }

  private void write(OutputStream out, byte[] all) throws IOException {
    write(out, all, all.length);
  }

  private void write(OutputStream out, byte[] some, int count) throws IOException {
    threads.watch();
    try {
      out.write(some, 0, count);
      out.flush();
    } finally {
      threads.leaveToItself();
    }
  }
}
