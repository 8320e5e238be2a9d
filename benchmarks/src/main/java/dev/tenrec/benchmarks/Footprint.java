// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import dev.tenrec.benchmarks.footprint.Figure;
import dev.tenrec.benchmarks.footprint.HystrixPopulation;
import dev.tenrec.benchmarks.footprint.Population;
import dev.tenrec.benchmarks.footprint.Resilience4jPopulation;
import dev.tenrec.benchmarks.footprint.TenrecPopulation;
import dev.tenrec.benchmarks.footprint.Weighing;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
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
 * {@code resilience4j}, {@code hystrix} or {@code all}, which is the default. Each figure is
 * weighed in a JVM of its own, with the options of this one.
 */
public final class Footprint {

  private static final Map<String, Supplier<Population>> WHO = new LinkedHashMap<>();

  static {
    WHO.put("tenrec", TenrecPopulation::new);
    WHO.put("resilience4j", Resilience4jPopulation::new);
    WHO.put("hystrix", HystrixPopulation::new);
  }

  private static final String ALL = "all";
  private static final String NO_FILE = "-";

  private Footprint() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    String file = arguments.length > 0 ? arguments[0] : NO_FILE;
    String who = arguments.length > 1 ? arguments[1] : ALL;
    if (arguments.length == 3) { // started below, for one figure
      Files.writeString(Path.of(file), Double.toString(weigh(who, Figure.valueOf(arguments[2]))));
      System.exit(0); // whatever threads a library left
    }
    if (arguments.length > 3 || !who.equals(ALL) && !WHO.containsKey(who)) {
      System.err.println("Footprint: expected [FILE] [all|" + String.join("|", WHO.keySet()) + "]");
      System.exit(2);
    }
    List<String> entries = new ArrayList<>();
    for (String one : WHO.keySet()) {
      if (who.equals(ALL) || who.equals(one)) {
        for (Figure figure : Figure.values()) {
          double weighed = inJvmOfItsOwn(one, figure);
          System.out.printf(Locale.ROOT, "%-40s %,12.0f%n", one + figure.label(), weighed);
          entries.add(json(one + figure.label(), weighed));
        }
      }
    }
    if (!file.equals(NO_FILE)) {
      Files.writeString(Path.of(file), "[\n" + String.join(",\n", entries) + "\n]\n");
    }
  }

  private static double weigh(String who, Figure figure) throws InterruptedException {
    Supplier<Population> make = Objects.requireNonNull(WHO.get(who));
    double unused = new Weighing(make, Weighing.Scope.DRY).weigh(figure);
    return new Weighing(make, Weighing.Scope.FULL).weigh(figure);
  }

  private static double inJvmOfItsOwn(String who, Figure figure)
      throws IOException, InterruptedException {
    Path answer = Files.createTempFile("footprint", ".txt");
    try {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.addAll(List.of(Footprint.class.getName(), answer.toString(), who, figure.name()));
      int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
      if (exit != 0) {
        throw new IllegalStateException(
            who + figure.label() + " was not weighed: its JVM ended with exit code " + exit);
      }
      return Double.parseDouble(Files.readString(answer));
    } finally {
      Files.delete(answer);
    }
  }

  private static String json(String name, double figure) {
    return String.format(Locale.ROOT, "  {\"footprint\": \"%s\", \"bytes\": %.1f}", name, figure);
  }
}
