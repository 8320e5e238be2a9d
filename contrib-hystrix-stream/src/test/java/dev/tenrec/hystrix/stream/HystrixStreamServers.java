// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** Servers for tests, on a port that is free. */
final class HystrixStreamServers {

  private HystrixStreamServers() {}

  static HystrixStreamServer on(HystrixStream stream) throws IOException {
    return HystrixStreamServer.start(
        stream, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), List.of());
  }
}
