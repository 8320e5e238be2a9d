// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.door;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import dev.tenrec.console.internal.relay.InstanceLine;
import dev.tenrec.console.internal.relay.InstanceLines;
import dev.tenrec.console.internal.relay.NoLineException;
import dev.tenrec.hystrix.stream.internal.feed.StreamResponse;
import dev.tenrec.hystrix.stream.internal.server.ServingThreads;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Hands on what the console of another instance says: an answer as a whole, a stream as it comes.
 * While a part is written the thread is watched, so that a page that takes nothing is given up.
 */
final class InstanceHandler {

  private static final String ADVICE = "advice?";
  private static final int PIECE = 16_384;

  private final InstanceLines lines;
  private final ServingThreads threads;
  private final Predicate<byte[]> isAdvice;

  /**
   * Asks by these.
   *
   * @param isAdvice whether that is what an adviser can have said: an operator's form is filled
   *     with it
   */
  InstanceHandler(InstanceLines lines, ServingThreads threads, Predicate<byte[]> isAdvice) {
    this.lines = lines;
    this.threads = threads;
    this.isAdvice = isAdvice;
  }

  /**
   * A story, or advice; or why there is none.
   *
   * @param part its name, with its query
   */
  Reply ask(String instance, String part) {
    threads.leaveToItself(); // the instance has time-outs of its own
    try (InstanceLine line = lines.open(instance, part)) {
      byte[] said = line.readAll();
      if (part.startsWith(ADVICE) && !isAdvice.test(said)) {
        return Reply.words(502, "the instance " + instance + " advises what no adviser does");
      }
      return Reply.json(said);
    } catch (NoLineException none) {
      return Reply.words(none.status(), none.words());
    } catch (IOException gone) {
      return Reply.words(502, "the instance " + instance + " has gone");
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
    try (InstanceLine line = lines.open(instance, part)) {
      Reply head = Reply.stream(StreamResponse.CONTENT_TYPE);
      head.headers().forEach(exchange.getResponseHeaders()::set);
      StreamResponse.NOT_KEPT.forEach(exchange.getResponseHeaders()::set);
      threads.watch(); // a page that took none of its earlier answers may not take the head either
      exchange.sendResponseHeaders(200, 0);
      threads.leaveToItself();
      try (OutputStream out = exchange.getResponseBody()) {
        handOn(line, out);
        // what came of an event that was cut off is before its last line
        String end = "the instance " + instance + " has gone, or does not answer any more";
        write(out, ("\nevent: gone\ndata: " + end + "\n\n").getBytes(UTF_8));
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
