// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;

/** Makes HTTP servers that listen on loopback, for many connections that are kept. */
public final class LoopbackServer {

  /** As many as may connect at the same moment; the operating system may allow fewer. */
  private static final int BACKLOG = 8_192;

  static {
    // Read by the server's classes when they are loaded: the first, or an answer may wait 40 ms for
    // the acknowledgement of its own headers; the second, or all but 200 idle connections are cut,
    // perhaps just when they are used again; the third, for the same reason, in seconds.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    System.setProperty("sun.net.httpserver.maxIdleConnections", "20000");
    System.setProperty("sun.net.httpserver.idleInterval", "600");
  }

  private LoopbackServer() {}

  /**
   * Binds one, which is not started.
   *
   * @param port where, or 0 for a free one
   * @throws IOException if the port is taken, or there is another reason not to listen; it says
   *     which
   */
  public static HttpServer bind(int port) throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try {
      return HttpServer.create(address, BACKLOG);
    } catch (BindException refused) {
      throw notBound(address, refused);
    }
  }

  /**
   * What to say of a port that cannot be had.
   *
   * @param refused what the operating system said, or who wraps it
   */
  public static IOException notBound(InetSocketAddress address, Exception refused) {
    Throwable said = refused;
    while (!(said instanceof BindException) && said.getCause() != null) {
      said = said.getCause();
    }
    String why = String.valueOf(said.getMessage());
    // said by the operating system, which has no other word for it; perhaps in another language
    String known =
        why.contains("in use")
            ? "is in use; expected a free one"
            : why.contains("ermission denied")
                ? "is not for this user to listen at ("
                    + why
                    + "); expected one above 1023, or the right to it"
                : "cannot be listened at (" + why + "); expected a free one";
    return new IOException(
        "port "
            + address.getPort()
            + " of "
            + address.getAddress().getHostAddress()
            + " "
            + known
            + ", or 0 to have one chosen",
        refused);
  }

  /** Where it listens, with a slash at the end. */
  public static URI uri(HttpServer server) {
    InetSocketAddress address = server.getAddress();
    return URI.create(
        "http://" + address.getAddress().getHostAddress() + ":" + address.getPort() + "/");
  }
}
