// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

/** Results as JMH writes them, with figures that are easy to calculate with. */
final class Canned {

  /** Two forks of three iterations each. */
  static final String FLOOR =
      entry("SemaphoreExecution.floor", 1, "", "[[50,40,60],[54,52,53]]", "0.01");

  static final String TENREC =
      entry("SemaphoreExecution.tenrec", 1, "", "[[60,61,62],[63,64,65]]", "0.02");
  static final String RESILIENCE =
      entry("SemaphoreExecution.resilience4j", 1, "", "[[100,106,110]]", "8");

  private Canned() {}

  static String list(String... entries) {
    return "[" + String.join(",\n", entries) + "]";
  }

  /** The same, with a distance for each iteration. */
  static String at(String distances, String entry) {
    String metric =
        "\"processor.distance\" : {\"scoreUnit\" : \"ns\", \"rawData\" : " + distances + "},";
    return entry.replace("\"gc.alloc.rate\" :", metric + " \"gc.alloc.rate\" :");
  }

  static String entry(String benchmark, int threads, String params, String raw, String bytes) {
    return """
        {
          "jmhVersion" : "1.37", "benchmark" : "dev.tenrec.benchmarks.%s", "mode" : "avgt",
          "threads" : %d, "forks" : 1, "params" : {%s},
          "primaryMetric" : {
            "score" : 1.0, "scoreError" : "NaN", "scoreConfidence" : ["NaN", "NaN"],
            "scoreUnit" : "ns/op", "rawData" : %s
          },
          "secondaryMetrics" : {
            "gc.alloc.rate" : {"scoreUnit" : "MB/sec", "rawData" : [[1e2]]},
            "gc.alloc.rate.norm" : {"scoreUnit" : "B/op", "rawData" : [[%s]]}
          }
        }"""
        .formatted(benchmark, threads, params, raw, bytes);
  }
}
