// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import dev.tenrec.field.load.InTurn;
import dev.tenrec.field.load.http.HttpAddress;
import dev.tenrec.field.load.http.HttpTarget;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Those who call the consumers. */
final class Callers {

  private static final int ASYNC_THREADS = 2;

  private Callers() {}

  /** All consumers in turn. */
  static InTurn of(List<Integer> ports, Duration timeout) {
    Map<String, HttpTarget> consumers = new LinkedHashMap<>();
    for (int port : ports) {
      HttpAddress address = HttpAddress.of("http://127.0.0.1:" + port + "/echo");
      consumers.put(address.toString(), new HttpTarget(address, timeout, ASYNC_THREADS));
    }
    return new InTurn(consumers);
  }
}
