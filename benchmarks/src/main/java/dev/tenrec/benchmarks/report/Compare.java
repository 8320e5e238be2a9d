// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.zip.CRC32;

/**
 * Measures a set of benchmarks, prints one table, and judges the gates. Exit code 0 if all gates
 * hold that were measured, 1 if one is broken (or, of the set full, was not measured), 2 if it
 * could not do what it was asked.
 */
public final class Compare {

  private final Arguments arguments;
  private final PrintStream out;
  private final PrintStream progress;

  Compare(Arguments arguments, PrintStream out, PrintStream progress) {
    this.arguments = arguments;
    this.out = out;
    this.progress = progress;
  }

  /** The directory of the script, then the arguments of the script. */
  public static void main(String[] words) throws InterruptedException {
    List<String> all = List.of(words);
    int exit;
    try {
      Arguments arguments =
          Arguments.of(all.subList(Math.min(1, all.size()), all.size()), Path.of(words[0]));
      exit = new Compare(arguments, System.out, System.err).run();
    } catch (IllegalArgumentException e) {
      System.err.println("compare: " + e.getMessage() + "\n\n" + Arguments.USAGE);
      exit = 2;
    } catch (IOException | IllegalStateException e) {
      System.err.println("compare: " + e);
      exit = 2;
    }
    System.exit(exit);
  }

  int run() throws IOException, InterruptedException {
    int jdk = Runtime.version().feature();
    List<Job> jobs = new Sets(jdk).get(arguments.set());
    List<Gate> gates = gates();
    Path directory = arguments.directory(Runtime.version().toString(), checksum(arguments.jar()));
    if (!arguments.reportOnly()) {
      arguments.raisedForks(jobs).ifPresent(progress::println);
    }
    List<Kept> files = new Measuring(arguments, directory, progress).run(jobs);
    Distances distances = Distances.of(files);
    Results results = Results.read(files, distances::isNear);
    out.printf(
        "JDK %s, %d processors, %s %s%n%n",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.name"),
        System.getProperty("os.arch"));
    if (distances.areMeasured()) {
      out.printf("Distance of the processors: %s%n%n", distances);
    }
    out.println(new Table(results).markdown());
    Results apart = Results.read(files, distances::isApart);
    if (distances.differ()) {
      out.println("While the processors were apart:\n");
      out.println(new Table(apart).markdown());
    }
    if (arguments.set().equals(Sets.SCALING)) {
      Plots.write(results, directory).forEach(file -> out.println("plotted " + file));
    }
    return judge(gates, results, apart);
  }

  private static String checksum(Path jar) throws IOException {
    CRC32 checksum = new CRC32();
    checksum.update(Files.readAllBytes(jar));
    return String.format("%08x", checksum.getValue());
  }

  private List<Gate> gates() throws IOException {
    if (!Files.exists(arguments.gates())) {
      throw new IllegalArgumentException("--gates: there is no file " + arguments.gates());
    }
    Properties file = new Properties();
    try (Reader reader = Files.newBufferedReader(arguments.gates())) {
      file.load(reader);
    }
    return Gate.of(file);
  }

  /** Each by what was measured near; by what was measured apart if near there is nothing. */
  private int judge(List<Gate> gates, Results near, Results apart) {
    boolean all = arguments.set().equals(Sets.FULL);
    int held = 0;
    int broken = 0;
    for (Gate gate : gates) {
      Results results = gate.judge(near) == Gate.Verdict.NOT_MEASURED ? apart : near;
      switch (gate.judge(results)) {
        case HOLDS -> held++;
        case BROKEN -> {
          broken++;
          out.println("BROKEN " + gate.line(results));
        }
        case NOT_MEASURED -> {
          // also where one was measured near alone, and the other apart
          if (all || gate.isAbout(near)) {
            broken++;
            out.println("NOT MEASURED " + gate);
          }
        }
      }
    }
    out.printf("%d gates hold, %d do not, of %d there are%n", held, broken, gates.size());
    return broken == 0 ? 0 : 1;
  }
}
