// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream;

/** The streams there are, under the paths that Hystrix had them. */
public enum StreamKind {
  /** An event of each command, pool and collapser: what the dashboard and Turbine read. */
  DASHBOARD("/hystrix.stream"),

  /** One event with what commands and pools have in flight. */
  UTILIZATION("/hystrix/utilization.stream"),

  /** One event with the settings in force. */
  CONFIG("/hystrix/config.stream"),

  /** An event of each request that has closed, with its calls. */
  REQUESTS("/hystrix/request.stream");

  private final String path;

  StreamKind(String path) {
    this.path = path;
  }

  /** Where Hystrix served it, and {@link HystrixStreamServer} does. */
  public String path() {
    return path;
  }
}
