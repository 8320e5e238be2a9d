// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.process;

import java.util.Map;

/**
 * What a JVM reported at one moment.
 *
 * @param nanos when it was received
 * @param gauges by name; most only grow
 */
public record Sample(long nanos, Map<String, Long> gauges) {

  /** The gauge of this name; 0 if it was not reported. */
  public long value(String name) {
    return gauges.getOrDefault(name, 0L);
  }
}
