// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports at which a program can listen that has to be told one. They are below those that Linux
 * gives to connections and to listeners which ask for any, so nobody gets one of them meanwhile.
 */
public final class FreePorts {

  private static final int LOWEST = 20_000;
  private static final int BEYOND = 32_000;

  private FreePorts() {}

  /** So many, of the loopback interface, each another one. */
  public static List<Integer> take(int count) throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    try {
      while (held.size() < count) {
        int port = ThreadLocalRandom.current().nextInt(LOWEST, BEYOND);
        try {
          held.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
        } catch (BindException taken) {
          // there are others
        }
      }
      return held.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket each : held) {
        each.close();
      }
    }
  }
}
