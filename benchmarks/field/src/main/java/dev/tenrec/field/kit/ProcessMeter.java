// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** What this process takes since it was reset. Thread-safe. */
public final class ProcessMeter {

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private static final List<MemoryPoolMXBean> HEAP =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .toList();

  /** Guarded by this. */
  private long cpuNanosBefore = SYSTEM.getProcessCpuTime();

  /**
   * What a process took.
   *
   * @param cpuNanos time of all processors, in nanoseconds
   * @param heapBytes the most that was used of each part of the heap, garbage included, summed
   * @param threads the most that were alive, the JVM's own included
   */
  public record Figures(long cpuNanos, long heapBytes, long threads) {

    private static final String CPU_NANOS = "cpuNanos";
    private static final String HEAP_BYTES = "heapBytes";
    private static final String THREADS = "threads";

    /** By name, to go over HTTP. */
    public Map<String, Long> values() {
      return Map.of(CPU_NANOS, cpuNanos, HEAP_BYTES, heapBytes, THREADS, threads);
    }

    /**
     * Back from it.
     *
     * @throws NumberFormatException if one of them is missing
     */
    public static Figures of(Properties properties) {
      return new Figures(
          Long.parseLong(properties.getProperty(CPU_NANOS)),
          Long.parseLong(properties.getProperty(HEAP_BYTES)),
          Long.parseLong(properties.getProperty(THREADS)));
    }

    /** How many cores it kept busy in this time. */
    public double cores(double seconds) {
      return cpuNanos / 1e9 / seconds;
    }

    /** The heap in megabytes. */
    public long heapMegabytes() {
      return heapBytes >> 20;
    }
  }

  /** Counts from 0. */
  public synchronized void reset() {
    HEAP.forEach(MemoryPoolMXBean::resetPeakUsage);
    ManagementFactory.getThreadMXBean().resetPeakThreadCount();
    cpuNanosBefore = SYSTEM.getProcessCpuTime();
  }

  /** Since then. */
  public synchronized Figures figures() {
    return new Figures(
        SYSTEM.getProcessCpuTime() - cpuNanosBefore,
        HEAP.stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum(),
        ManagementFactory.getThreadMXBean().getPeakThreadCount());
  }
}
