// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.thrift.process;

import com.sun.management.OperatingSystemMXBean;
import dev.tenrec.examples.shared.RunClock;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The main program of a JVM that serves: it says where it listens, then every so often what it has
 * done, a line each. It ends with its standard input, so that it does not outlive who started it.
 */
public final class Teller {

  static final String LISTENS = "listens at ";

  private static final long GAP_NANOS = Duration.ofMillis(100).toNanos();
  private static final int FAILED = 2;
  private static final long PATIENCE_MILLIS = 20_000;

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

  private Teller() {}

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
    try {
      Program program = start.start();
      try (AutoCloseable service = program.service()) {
        Thread main = Thread.currentThread();
        // Ctrl-C reaches all of a terminal's programs at once: those that are being served need
        // the answer for their last results. Who began this one closes its input when he is done.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> await(main)));
        System.out.println(LISTENS + program.port());
        Thread teller = new Thread(() -> tell(program.gauges()), "teller");
        teller.setDaemon(true);
        teller.start();
        while (System.in.read() >= 0) {
          // only its end means something
        }
      }
    } catch (Exception wrong) {
      System.err.println(name + ": " + wrong.getMessage());
      Runtime.getRuntime().halt(FAILED);
    } catch (Error worse) {
      System.err.println(name + ": " + worse);
      Runtime.getRuntime().halt(FAILED);
    }
    // whatever of it may hang
    Runtime.getRuntime().halt(0);
  }

  private static void tell(Supplier<Map<String, Long>> gauges) {
    RunClock clock = new RunClock();
    try {
      for (long line = 1; !System.out.checkError(); line++) {
        Map<String, Long> told = new LinkedHashMap<>(gauges.get());
        told.putAll(machine());
        System.out.println(
            told.entrySet().stream()
                .map(gauge -> gauge.getKey() + "=" + gauge.getValue())
                .collect(Collectors.joining(" ")));
        clock.awaitNanos(line * GAP_NANOS);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** What it costs. */
  private static Map<String, Long> machine() {
    Map<String, Long> told = new LinkedHashMap<>();
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
      told.put("cpuMillis", system.getProcessCpuTime() / 1_000_000);
    }
    long gcMillis = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      gcMillis += Math.max(0, collector.getCollectionTime());
    }
    told.put("gcMillis", gcMillis);
    told.put(
        "heapMegabytes", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20);
    return told;
  }

  private static void await(Thread main) {
    try {
      main.join(PATIENCE_MILLIS);
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
  }
}
