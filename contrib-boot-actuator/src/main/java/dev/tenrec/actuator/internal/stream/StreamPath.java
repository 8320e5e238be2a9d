// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator.internal.stream;

import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointProperties;

/** Where something is, beside the endpoints or as one of them. */
public final class StreamPath {

  private StreamPath() {}

  /** Below the actuator, under this name or the one that it is mapped to. */
  public static String of(WebEndpointProperties endpoints, String name) {
    String base = endpoints.getBasePath();
    return (base.endsWith("/") ? base.substring(0, base.length() - 1) : base)
        + "/"
        + endpoints.getPathMapping().getOrDefault(name, name);
  }
}
