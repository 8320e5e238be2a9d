// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.http;

import java.io.IOException;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Finds the end of an HTTP/1.1 reply in what arrives, and keeps none of its body. Not thread-safe:
 * one for each reply.
 */
final class ReplyReader {

  private static final int LONGEST_LINE = 8_192;

  private enum At {
    STATUS,
    HEADERS,
    BODY,
    CHUNK_SIZE,
    CHUNK,
    CHUNK_END,
    TRAILERS,
    END
  }

  private final Consumer<String> headers;
  private final boolean noBody;
  private final StringBuilder line = new StringBuilder();
  private At at = At.STATUS;
  private int status;
  private long left;
  private boolean lengthKnown;
  private boolean chunked;
  private boolean keepAlive = true;

  /** One that drops the headers. */
  ReplyReader() {
    this(line -> {}, false);
  }

  /**
   * One that has read nothing.
   *
   * @param headers gets each line of the head but the first, as it was written
   * @param noBody whether the reply ends with its head, as one to HEAD does
   */
  ReplyReader(Consumer<String> headers, boolean noBody) {
    this.headers = headers;
    this.noBody = noBody;
  }

  int status() {
    return status;
  }

  /** Whether the connection may be used again. */
  boolean keepAlive() {
    return keepAlive;
  }

  /**
   * Takes the next bytes.
   *
   * @return whether the reply is complete
   * @throws IOException if this is not HTTP, or more than one reply
   */
  boolean take(byte[] bytes, int count) throws IOException {
    int next = 0;
    while (next < count && at != At.END) {
      if (at == At.BODY || at == At.CHUNK) {
        int taken = (int) Math.min(left, count - next);
        next += taken;
        left -= taken;
        if (left == 0) {
          at = at == At.BODY ? At.END : At.CHUNK_END;
        }
      } else {
        character((char) (bytes[next++] & 0xff));
      }
    }
    if (next < count) {
      throw new IOException((count - next) + " bytes after the end of the reply");
    }
    return at == At.END;
  }

  private void character(char c) throws IOException {
    if (c == '\n') {
      String text = line.toString();
      line.setLength(0);
      line(text);
    } else if (c != '\r') {
      if (line.length() == LONGEST_LINE) {
        throw new IOException("a line of more than " + LONGEST_LINE + " characters in the head");
      }
      line.append(c);
    }
  }

  private void line(String text) throws IOException {
    switch (at) {
      case STATUS -> {
        status = statusOf(text);
        at = At.HEADERS;
      }
      case HEADERS -> {
        if (text.isEmpty()) {
          headersEnd();
        } else {
          headers.accept(text);
          header(text.toLowerCase(Locale.ROOT));
        }
      }
      case CHUNK_SIZE -> {
        left = number(text.split(";", 2)[0].strip(), 16);
        at = left == 0 ? At.TRAILERS : At.CHUNK;
      }
      case CHUNK_END -> at = At.CHUNK_SIZE;
      case TRAILERS -> at = text.isEmpty() ? At.END : At.TRAILERS;
      default -> throw new IllegalStateException("a line in " + at);
    }
  }

  private static int statusOf(String text) throws IOException {
    if (text.startsWith("HTTP/1.") && text.length() >= 12) {
      return (int) number(text.substring(9, 12), 10);
    }
    throw new IOException("expected an HTTP/1.1 status, but found '" + text + "'");
  }

  private void header(String text) throws IOException {
    if (text.startsWith("content-length:")) {
      left = number(text.substring("content-length:".length()).strip(), 10);
      lengthKnown = true;
    } else if (text.startsWith("transfer-encoding:")) {
      chunked = text.endsWith("chunked");
    } else if (text.startsWith("connection:")) {
      keepAlive = !text.endsWith("close");
    }
  }

  private void headersEnd() throws IOException {
    if (noBody) {
      at = At.END;
    } else if (chunked) {
      at = At.CHUNK_SIZE;
    } else if (lengthKnown) {
      at = left == 0 ? At.END : At.BODY;
    } else if (status == 204 || status == 304) {
      at = At.END;
    } else {
      throw new IOException("a reply of status " + status + " that does not state its length");
    }
  }

  private static long number(String text, int radix) throws IOException {
    try {
      return Long.parseUnsignedLong(text, radix);
    } catch (NumberFormatException notANumber) {
      throw new IOException("expected a number, but found '" + text + "'", notANumber);
    }
  }
}
