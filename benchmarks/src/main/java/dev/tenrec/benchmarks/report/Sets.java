// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** The sets that have a name, each a list of jobs. */
final class Sets {

  static final String SHORT = "short";
  static final String FULL = "full";
  static final String SCALING = "scaling";

  private static final String SEMAPHORE = "SemaphoreExecution";
  private static final String POOL = "ThreadPoolExecution";
  private static final String VIRTUAL = "VirtualThreadExecution";
  private static final String BATCHES = "Collapsing";
  private static final String MOVED_POOL = "MovedPool";

  /** Those whose callers wait for another thread. */
  static final Set<String> ON_OTHER_THREADS = Set.of(POOL, VIRTUAL, BATCHES, MOVED_POOL);

  private final Map<String, List<Job>> byName = new LinkedHashMap<>();

  /** Those there are on a JDK of this number. */
  Sets(int jdk) {
    type(SEMAPHORE, 1, 2, 8);
    type(POOL, 1, 8);
    if (jdk >= 21) {
      type(VIRTUAL, 1);
    }
    for (String type :
        List.of(
            "OpenCircuit",
            "PermitRejected",
            "FailingCall",
            "RequestCacheHit",
            BATCHES,
            "ManyCommands",
            "AnnotatedCall",
            "Published",
            "FlightRecorded",
            "SteeredCall",
            "FurtherAttempts",
            "StartUp")) {
      type(type, 1);
    }
    type("MetricsReadWhileWriting", 8);
    type("SettingsRead", 1);
    type("TimeoutArmDisarm", 1, 2);
    type("RollingCountsWrite", 1, 2);
    type("LatencyRecord", 1, 2);
    type("RateLimit", 1, 2);
    type("MovedSemaphore", 1);
    type(MOVED_POOL, 1, 8);
    type(Job.FOOTPRINT, 1);
    List<Job> all = byName.values().stream().flatMap(List::stream).toList();
    byName.put(SHORT, shortSet());
    byName.put(FULL, all);
    byName.put(SCALING, scaling());
  }

  private void type(String type, int... threads) {
    byName.put(type, IntStream.of(threads).mapToObj(n -> Job.all(type, n)).toList());
  }

  /** What would show first that something broke; about four minutes. */
  private static List<Job> shortSet() {
    return List.of(
        Job.some(SEMAPHORE, 1, "floor", "tenrecPolluted", "resilience4j"),
        Job.some(SEMAPHORE, 2, "floorNoPermit", "tenrecPolluted", "resilience4j"),
        Job.some(POOL, 1, "bareSubmitGetTimed", "tenrec", "resilience4j"),
        Job.some(
            "OpenCircuit",
            1,
            "floor",
            "tenrec",
            "tenrecThrown",
            "resilience4jStackless",
            "resilience4jStacklessThrown"),
        Job.some(
            "FailingCall",
            1,
            "floor",
            "floorGuardedFallback",
            "tenrec",
            "tenrecFallbackValue",
            "resilience4j"),
        Job.some("RequestCacheHit", 1, "tenrec", "hystrix"),
        Job.some(BATCHES, 1, "tenrec", "hystrix").with("batchSize", "100"),
        Job.some("AnnotatedCall", 1, "direct", "tenrec"),
        Job.all(Job.FOOTPRINT, 1));
  }

  /** Cost against threads, keys and callers. */
  private static List<Job> scaling() {
    List<Job> jobs = new ArrayList<>();
    for (int threads : new int[] {1, 2, 4, 8, 16}) {
      jobs.add(
          Job.some(
              SEMAPHORE,
              threads,
              "floor",
              "floorNoPermit",
              "tenrecPolluted",
              "resilience4j",
              "failsafe",
              "hystrix"));
    }
    jobs.add(Job.all("ManyCommands", 1));
    for (int callers : new int[] {1, 5, 20, 100, 500}) {
      jobs.add(
          Job.some(
                  POOL,
                  callers,
                  "bareSubmitGetTimed",
                  "tenrec",
                  "resilience4j",
                  "failsafe",
                  "hystrix")
              .with("queue", "1000"));
    }
    return jobs;
  }

  /** The jobs of a set. */
  List<Job> get(String name) {
    List<Job> jobs = byName.get(name);
    if (jobs == null) {
      throw new IllegalArgumentException(
          "no set is called '"
              + name
              + "'; there are "
              + String.join(", ", byName.keySet())
              + (name.equals(VIRTUAL) ? " (virtual threads need JDK 21 or later)" : ""));
    }
    return jobs;
  }
}
