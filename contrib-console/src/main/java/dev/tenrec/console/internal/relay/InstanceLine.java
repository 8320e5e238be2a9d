// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.relay;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.tenrec.metrics.time.Ticker;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One question to the console of an instance, and its answer. By HTTP 1.0 over a socket of its own,
 * so that nothing stands between the address that was checked and the one that is asked: no proxy,
 * no redirect, no kept connection, nobody's cookies. Of one thread; only {@link #close} is called
 * by others as well.
 */
public final class InstanceLine implements AutoCloseable {

  private static final int LONGEST_HEAD = 16_384;

  /** Of an answer that is no stream. */
  private static final int LONGEST_BODY = 4 * 1024 * 1024;

  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3})(?: .*)?");

  private final String instance;
  private final Socket socket;
  private final Runnable onClose;
  private final Ticker ticker;
  private final long patienceNanos;
  private final InputStream in;

  private InstanceLine(
      String instance, Socket socket, Runnable onClose, Ticker ticker, long patienceNanos)
      throws IOException {
    this.instance = instance;
    this.socket = socket;
    this.onClose = onClose;
    this.ticker = ticker;
    this.patienceNanos = patienceNanos;
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  /**
   * Asks, and reads the head of the answer.
   *
   * @param socket connected to an address that was checked, with a time-out for reading
   * @param request all of it
   * @param type that the answer has to be of
   * @param onClose run when this is closed, each time
   * @throws NoLineException if it answers otherwise than a console that lets this one read
   */
  static InstanceLine open(
      String instance,
      Socket socket,
      String request,
      String type,
      Runnable onClose,
      Ticker ticker,
      long patienceNanos)
      throws IOException, NoLineException {
    InstanceLine line = new InstanceLine(instance, socket, onClose, ticker, patienceNanos);
    socket.getOutputStream().write(request.getBytes(ISO_8859_1));
    line.readHead(type);
    return line;
  }

  private void readHead(String type) throws IOException, NoLineException {
    String[] lines = head().split("\r?\n", -1);
    Matcher status = STATUS.matcher(lines[0]);
    if (!status.matches()) {
      throw other("does not speak HTTP");
    }
    checkStatus(Integer.parseInt(status.group(1)));
    boolean typed = false;
    for (String header : lines) {
      String lower = header.toLowerCase(Locale.ROOT).replaceAll("\\s", "");
      if (lower.startsWith("transfer-encoding:") || lower.startsWith("content-encoding:")) {
        throw other("answers in an encoding that was not asked for");
      }
      typed |= (lower + ";").startsWith("content-type:" + type + ";");
    }
    if (!typed) {
      throw other("is no console");
    }
  }

  private void checkStatus(int status) throws NoLineException {
    switch (status) {
      case 200 -> {}
      case 401, 403 -> throw other("does not let this console read: it wants another token");
      case 404 -> throw new NoLineException(404, "the instance " + instance + " has no such part");
      case 503 ->
          throw new NoLineException(
              503, "as many pages of the instance " + instance + " are open as may be");
      default -> throw other("answers with " + status + ", and redirects are not followed");
    }
  }

  private NoLineException other(String what) {
    return new NoLineException(502, "what is at the address of " + instance + " " + what);
  }

  /** Up to the empty line. One that comes drop by drop is given up as one that does not come. */
  private String head() throws IOException, NoLineException {
    long endNanos = ticker.nanoTime() + patienceNanos;
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int ends = 0;
    while (ends < 2) {
      int sign = in.read();
      if (sign < 0 || head.size() >= LONGEST_HEAD || ticker.nanoTime() - endNanos >= 0) {
        throw other("does not answer as a console does");
      }
      head.write(sign);
      ends = sign == '\n' ? ends + 1 : sign == '\r' ? ends : 0;
    }
    return head.toString(ISO_8859_1);
  }

  /**
   * Some of a stream, as soon as there is some.
   *
   * @return how many bytes; -1 at its end
   * @throws IOException if the instance has gone, or says nothing for too long
   */
  public int read(byte[] into) throws IOException {
    return in.read(into);
  }

  /**
   * All of an answer.
   *
   * @throws NoLineException if it is longer than answers are, or takes too long
   */
  public byte[] readAll() throws IOException, NoLineException {
    long endNanos = ticker.nanoTime() + patienceNanos;
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] some = new byte[8_192];
    int count = in.read(some);
    while (count >= 0) {
      all.write(some, 0, count);
      if (all.size() > LONGEST_BODY || ticker.nanoTime() - endNanos >= 0) {
        throw other("does not answer as a console does");
      }
      count = in.read(some);
    }
    return all.toByteArray();
  }

  /** Ends it, also while another thread reads. Idempotent. */
  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException gone) {
      // it is
    } finally {
      onClose.run();
    }
  }
}
