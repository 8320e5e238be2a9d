// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Each connection takes a file handle. To be looked at before the load, not in the midst of it. */
public final class FileHandles {

  /** What a JVM opens besides: classes, logs, the selector's own. */
  private static final long RESERVE = 100;

  private FileHandles() {}

  /**
   * Looks whether this process may open so many connections. Where no limit is known, as on
   * Windows, there is none to keep to.
   *
   * @throws IllegalStateException if it may not
   */
  public static void requireFor(long connections) {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
      require(connections, unix.getMaxFileDescriptorCount());
    }
  }

  static void require(long connections, long limit) {
    if (connections + RESERVE > limit) {
      throw new IllegalStateException(
          connections
              + " calls at once need "
              + (connections + RESERVE)
              + " file handles, and this process may open "
              + limit
              + "; expected a higher limit (ulimit -n "
              + (connections + RESERVE)
              + "), or fewer calls at once");
    }
  }
}
