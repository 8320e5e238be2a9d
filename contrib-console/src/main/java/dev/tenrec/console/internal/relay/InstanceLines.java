// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.relay;

import dev.tenrec.metrics.time.Ticker;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Opens the consoles of single instances, a bounded number at once. Only what an instance has
 * registered is opened, and only if each address that its host has now is in the networks; the
 * connection is made to the address that was looked at. Thread-safe.
 */
public final class InstanceLines implements AutoCloseable {

  private static final String STREAM = "stream";

  /** Stories and advice at once, each of which takes a thread meanwhile. */
  private static final int MOST_QUESTIONS = 4;

  private final Function<String, @Nullable String> registered;
  private final Networks networks;
  private final @Nullable String token;
  private final Semaphore streams;
  private final Semaphore questions = new Semaphore(MOST_QUESTIONS);
  private final Duration patience;
  private final Ticker ticker;
  private final Resolver resolver;

  /** Guarded by this object, as is {@link #closed}. */
  private final Set<Socket> open = new HashSet<>();

  private boolean closed;

  /**
   * To these.
   *
   * @param registered the address of the console of the instance with this id; null if there is no
   *     such instance now, or it has registered none
   * @param token that these consoles want; null if none
   * @param mostStreams how many streams may be open at once
   * @param patience how long an instance may say nothing
   */
  public InstanceLines(
      Function<String, @Nullable String> registered,
      Networks networks,
      @Nullable String token,
      int mostStreams,
      Duration patience,
      Ticker ticker,
      Resolver resolver) {
    this.registered = registered;
    this.networks = networks;
    this.token = token;
    this.streams = new Semaphore(mostStreams);
    this.patience = patience;
    this.ticker = ticker;
    this.resolver = resolver;
  }

  /**
   * Opens a part of an instance's page, which the caller closes. Waits for the instance, and for
   * the store that has its address.
   *
   * @param part its name, with its query
   * @throws NoLineException if it is not opened
   */
  public InstanceLine open(String instance, String part) throws NoLineException {
    boolean stream = part.equals(STREAM);
    Semaphore places = stream ? streams : questions;
    if (!places.tryAcquire()) {
      throw new NoLineException(503, "as many instances are looked at as may be");
    }
    AtomicBoolean held = new AtomicBoolean(true);
    Socket socket = new Socket(Proxy.NO_PROXY);
    Runnable release =
        () -> {
          forget(socket);
          if (held.getAndSet(false)) {
            places.release();
          }
        };
    boolean opened = false;
    try {
      InstanceLine line = open(instance, part, stream, socket, release);
      opened = true;
      return line;
    } catch (IOException away) {
      throw new NoLineException(502, "the instance " + instance + " is not reached");
    } finally {
      if (!opened) {
        close(socket);
        release.run();
      }
    }
  }

  private InstanceLine open(
      String instance, String part, boolean stream, Socket socket, Runnable release)
      throws IOException, NoLineException {
    String text = registered.apply(instance);
    if (text == null) {
      throw new NoLineException(
          404, "there is no instance " + instance + " now that has registered a console");
    }
    ConsoleAddress address = ConsoleAddress.of(instance, text);
    InetAddress at = checked(instance, address.host());
    keep(socket);
    int millis = (int) Math.min(Integer.MAX_VALUE, patience.toMillis());
    socket.connect(new InetSocketAddress(at, address.port()), millis);
    socket.setSoTimeout(millis);
    return InstanceLine.open(
        instance,
        socket,
        request(at, address, part),
        stream ? "text/event-stream" : "application/json",
        release,
        ticker,
        patience.toNanos());
  }

  /** A name that leads out of the networks by one of its addresses is not to be trusted. */
  private InetAddress checked(String instance, String host) throws NoLineException {
    InetAddress[] addresses;
    try {
      addresses = resolver.addresses(host);
    } catch (UnknownHostException unknown) {
      addresses = new InetAddress[0];
    }
    if (addresses.length == 0) {
      throw new NoLineException(502, "the host of the instance " + instance + " is not known");
    }
    for (InetAddress each : addresses) {
      if (!networks.allow(each)) {
        throw new NoLineException(
            403,
            "the console of "
                + instance
                + " is not opened: its address is in none of the networks that are allowed");
      }
    }
    return addresses[0];
  }

  /** The address in the place of a name: a console always lets itself be called that. */
  private String request(InetAddress at, ConsoleAddress address, String part) {
    String host = at.getHostAddress();
    String named = at instanceof Inet6Address ? "[" + host + "]" : host;
    StringBuilder request = new StringBuilder();
    request.append("GET ").append(address.path()).append(part).append(" HTTP/1.0\r\n");
    request.append("Host: ").append(named).append(':').append(address.port()).append("\r\n");
    if (token != null) {
      request.append("Authorization: Bearer ").append(token).append("\r\n");
    }
    return request.append("\r\n").toString();
  }

  private synchronized void keep(Socket socket) throws IOException {
    if (closed) {
      throw new IOException("closed");
    }
    open.add(socket);
  }

  private synchronized void forget(Socket socket) {
    open.remove(socket);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException gone) {
      // it is
    }
  }

  /** Ends all that are open, and opens no other. Idempotent. */
  @Override
  public void close() {
    List<Socket> all;
    synchronized (this) {
      closed = true;
      all = new ArrayList<>(open);
    }
    all.forEach(InstanceLines::close);
  }
}
