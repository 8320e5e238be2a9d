// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator.internal.stream;

import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointProperties;

/** Where the stream is, beside the endpoints. */
final class StreamPath {

  private StreamPath() {}

  static String of(WebEndpointProperties endpoints) {
    String base = endpoints.getBasePath();
    return (base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + "/hystrixstream";
  }
}
