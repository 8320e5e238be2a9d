// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import java.util.Scanner;

/**
 * Each connection to one address takes a local port. To be looked at before the load, not in the
 * midst of it.
 */
public final class LocalPorts {

  /** Where Linux says which it gives to those that connect: the first and the last. */
  private static final Path RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");

  private LocalPorts() {}

  /**
   * Looks whether there are so many for one address. Where the range is not known, as on other
   * systems, nothing is refused.
   *
   * @throws IllegalStateException if there are not
   */
  public static void requireFor(long connections) {
    try (Scanner range = new Scanner(RANGE, StandardCharsets.US_ASCII)) {
      long first = range.nextLong();
      require(connections, range.nextLong() - first + 1);
    } catch (IOException | NoSuchElementException unknown) {
      // such a range as this cannot be looked at here, and the load may try
    }
  }

  static void require(long connections, long ports) {
    if (connections > ports) {
      throw new IllegalStateException(
          connections
              + " calls at once to one address need as many local ports, and there are "
              + ports
              + "; expected a wider range (net.ipv4.ip_local_port_range), several addresses, or"
              + " fewer calls at once");
    }
  }
}
