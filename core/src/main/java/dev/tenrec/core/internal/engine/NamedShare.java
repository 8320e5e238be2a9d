// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import dev.tenrec.core.internal.config.CodeSettings;

/**
 * What code says of a semaphore, a rate limiter or a budget that a command shares.
 *
 * @param name by which it is shared
 * @param code its settings
 */
public record NamedShare(String name, CodeSettings code) {

  @Override
  public String toString() {
    return name + " " + code;
  }
}
