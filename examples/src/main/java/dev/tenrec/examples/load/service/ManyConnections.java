// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.load.service;

/** Has the JDK's HTTP server hold as many connections as there are callers. */
public final class ManyConnections {

  private ManyConnections() {}

  /**
   * To be called before the server's classes are loaded, which read these: the first, or an answer
   * may wait 40 ms for the acknowledgement of its own headers; the second, or all but 200 idle
   * connections are cut, perhaps just when they are used again; the third, for the same reason, in
   * seconds.
   */
  public static void allow() {
    System.setProperty("sun.net.httpserver.nodelay", "true");
    System.setProperty("sun.net.httpserver.maxIdleConnections", "20000");
    System.setProperty("sun.net.httpserver.idleInterval", "600");
  }
}
