// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.process;

import com.sun.management.OperatingSystemMXBean;
import dev.tenrec.field.kit.Lifeline;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The main program of a JVM that serves: it says where it listens, and when it is asked, what it
 * has done. It ends with its standard input, so that it does not outlive who started it.
 */
public final class GaugeReporter {

  static final String GAUGES = "gauges";

  /**
   * What serves.
   *
   * @param port where it listens
   * @param gauges what it has done
   * @param service to be closed at the end
   */
  public record Program(int port, Supplier<Map<String, Long>> gauges, AutoCloseable service) {}

  /** Starts what serves. */
  public interface Start {

    /** Starts it; what it throws is the reason why it could not. */
    Program start() throws Exception;
  }

  private GaugeReporter() {}

  /** Has Thrift say nothing of connections that end: under load that is thousands of traces. */
  public static void quietThrift() {
    System.setProperty("org.slf4j.simpleLogger.log.org.apache.thrift", "off");
  }

  /**
   * Runs it, until the end of the standard input.
   *
   * @param name for its errors
   */
  public static void run(String name, Start start) {
    Lifeline.run(
        name,
        () -> {
          Program program = start.start();
          return new Lifeline.Service(
              Integer.toString(program.port()),
              Map.of(GAUGES, rest -> gauges(program)),
              program.service());
        });
  }

  private static Map<String, Long> gauges(Program program) {
    Map<String, Long> figures = new LinkedHashMap<>(program.gauges().get());
    figures.putAll(machine());
    return figures;
  }

  /** What it costs. */
  private static Map<String, Long> machine() {
    Map<String, Long> figures = new LinkedHashMap<>();
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
      figures.put("cpuMillis", system.getProcessCpuTime() / 1_000_000);
    }
    long gcMillis = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      gcMillis += Math.max(0, collector.getCollectionTime());
    }
    figures.put("gcMillis", gcMillis);
    figures.put(
        "heapMegabytes", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20);
    return figures;
  }
}
