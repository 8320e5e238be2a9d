// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway.proxy;

import dev.tenrec.field.kit.Lifeline;
import dev.tenrec.field.load.FileHandles;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A {@link Gateway} in a JVM of its own. It ends with its standard input. */
public final class GatewayMain {

  /** Longer than any call of a healthy service takes, also where two cores have to do it all. */
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private GatewayMain() {}

  /**
   * Runs it.
   *
   * @param arguments the port, or 0 for a free one; how many callers at once; how many calls of
   *     each route may be in flight; how many threads wait for services, or 0 for none; then
   *     routes, NAME=URL each
   */
  public static void main(String[] arguments) {
    Lifeline.run("gateway", () -> start(arguments));
  }

  private static Lifeline.Service start(String[] arguments) throws IOException {
    if (arguments.length < 5) {
      throw new IllegalArgumentException(
          "expected arguments: PORT (0 for a free one), CALLERS, LIMIT, THREADS, NAME=URL...");
    }
    // one for the caller, one for the service
    FileHandles.requireFor(2L * Integer.parseInt(arguments[1]));
    int limit = Integer.parseInt(arguments[2]);
    Gateway gateway =
        Gateway.open(
            Integer.parseInt(arguments[0]),
            routes(arguments),
            limit,
            TIMEOUT,
            Integer.parseInt(arguments[3]));
    return new Lifeline.Service(gateway.uri().toString(), Map.of(), gateway);
  }

  private static List<Route> routes(String[] arguments) {
    return List.of(arguments).subList(4, arguments.length).stream()
        .map(text -> text.split("=", 2))
        .map(parts -> new Route(parts[0], URI.create(parts[1])))
        .toList();
  }
}
