// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import dev.tenrec.benchmarks.footprint.HystrixPopulation;
import dev.tenrec.benchmarks.footprint.Population;
import dev.tenrec.benchmarks.footprint.Resilience4jPopulation;
import dev.tenrec.benchmarks.footprint.TenrecPopulation;
import dev.tenrec.benchmarks.footprint.Weighing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * How much memory a command takes: never called, after 10,000 calls from one thread, busy on 8
 * threads; and a call in flight; and how many threads 1,000 commands have. Not JMH: a heap is
 * weighed, not a time. Use the serial collector, whose answer is exact:
 *
 * <pre>{@code
 * java -XX:+UseSerialGC -Xmx1g -cp benchmarks.jar dev.tenrec.benchmarks.Footprint [FILE] [WHO]
 * }</pre>
 *
 * <p>FILE gets the figures as JSON, {@code -} for none; WHO is {@code tenrec} (under a minute),
 * {@code resilience4j}, {@code hystrix} or {@code all}, which is the default.
 */
public final class Footprint {

  private static final Map<String, Supplier<Population>> WHO = new LinkedHashMap<>();

  static {
    WHO.put("tenrec", TenrecPopulation::new);
    WHO.put("resilience4j", Resilience4jPopulation::new);
    WHO.put("hystrix", HystrixPopulation::new);
  }

  private Footprint() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    String file = arguments.length > 0 ? arguments[0] : "-";
    String who = arguments.length > 1 ? arguments[1] : "all";
    if (arguments.length > 2 || !who.equals("all") && !WHO.containsKey(who)) {
      System.err.println("Footprint: expected [FILE] [all|" + String.join("|", WHO.keySet()) + "]");
      System.exit(2);
    }
    List<String> entries = new ArrayList<>();
    for (Map.Entry<String, Supplier<Population>> one : WHO.entrySet()) {
      if (who.equals("all") || who.equals(one.getKey())) {
        Map<String, Double> figures =
            new TreeMap<>(new Weighing(one.getValue(), Weighing.Scope.FULL).weigh());
        figures.forEach(
            (name, figure) -> {
              System.out.printf(Locale.ROOT, "%-40s %,12.0f%n", one.getKey() + name, figure);
              entries.add(json(one.getKey() + name, figure));
            });
      }
    }
    if (!file.equals("-")) {
      Files.writeString(Path.of(file), "[\n" + String.join(",\n", entries) + "\n]\n");
    }
    System.exit(0); // whatever threads a library left
  }

  private static String json(String name, double figure) {
    return String.format(Locale.ROOT, "  {\"footprint\": \"%s\", \"bytes\": %.1f}", name, figure);
  }
}
