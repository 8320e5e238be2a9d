// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway.proxy;

import java.net.URI;

/**
 * What the gateway passes on, and to whom.
 *
 * @param name the first part of its path, and the key of its command
 * @param upstream what stands there instead of {@code /name}
 */
public record Route(String name, URI upstream) {

  /** Where it is found at the gateway. */
  public String path() {
    return "/" + name;
  }
}
