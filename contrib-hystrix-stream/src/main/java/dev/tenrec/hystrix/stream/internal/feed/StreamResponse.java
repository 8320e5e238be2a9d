// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.feed;

import java.util.Map;

/** What every answer has, whichever server gives it. */
public final class StreamResponse {

  /** As Hystrix had it. */
  public static final String CONTENT_TYPE = "text/event-stream;charset=UTF-8";

  /** Beside {@link #CONTENT_TYPE}. */
  public static final Map<String, String> NOT_KEPT =
      Map.of(
          "Cache-Control",
          "no-cache, no-store, max-age=0, must-revalidate",
          "Pragma",
          "no-cache",
          "X-Content-Type-Options",
          "nosniff");

  private StreamResponse() {}

  /** What a client gets to read that there is no place for. */
  public static String full(int maxClients) {
    return "MaxConcurrentConnections reached: " + maxClients;
  }
}
