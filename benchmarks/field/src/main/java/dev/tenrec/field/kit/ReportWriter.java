// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What stands around the tables of a system, its files, and its exit code. Each system adds its
 * own. Not thread-safe.
 */
public abstract class ReportWriter {

  /** All that was run is accounted for. */
  public static final int HOLDS = 0;

  private static final int DOES_NOT_HOLD = 1;

  private final String system;
  private final int measured;
  private final int planned;
  private final List<String> differences;
  private final Ending ending;
  private final Map<String, @Nullable Object> figures = new LinkedHashMap<>();
  private final Map<String, Plot> plots = new LinkedHashMap<>();

  /**
   * One that has written nothing.
   *
   * @param system the name of its files
   * @param measured how many runs there are
   * @param planned how many there were to be
   * @param differences what does not agree
   */
  protected ReportWriter(
      String system, int measured, int planned, List<String> differences, Ending ending) {
    this.system = system;
    this.measured = measured;
    this.planned = planned;
    this.differences = differences;
    this.ending = ending;
    figures.put("java", Runtime.version().toString());
    figures.put("processors", Runtime.getRuntime().availableProcessors());
    figures.put("planned", planned);
    ending.put(figures);
  }

  /** Prints what there is besides the tables of the runs, and the {@link #verdict}. */
  protected abstract void print(PrintStream out);

  /** Puts figures and plots where they are written. */
  protected abstract void fill();

  /** What the shapes came to, for the file of figures and the lines of a demo. */
  protected List<Shape> shapes() {
    return List.of();
  }

  /** The lines that a demo ends with; the first five are printed. */
  protected List<String> summary() {
    return Summary.of(shapes());
  }

  /**
   * Prints what was run, and on what.
   *
   * @param system the Maven profile that runs it
   * @param module where that is
   * @param sides which programs share the processors
   * @param notes what a reader of the tables has to know
   */
  public static void header(
      PrintStream out,
      String system,
      String module,
      List<String> arguments,
      String sides,
      String... notes) {
    String words =
        arguments.isEmpty() ? "" : " -D" + system + ".args=\"" + String.join(" ", arguments) + "\"";
    out.println("mvn -q -P" + system + " -pl " + module + " -am -DskipTests package" + words);
    int processors = Runtime.getRuntime().availableProcessors();
    out.println(
        "JDK " + Runtime.version() + ", " + processors + " processors, shared by " + sides + ".");
    for (String note : notes) {
      out.println(note);
    }
    out.println();
  }

  /**
   * Prints whether all agrees.
   *
   * @param runs what a run is called here
   * @param sides which of them agree, if all do
   * @param remarks on what could not be compared
   */
  protected final void verdict(PrintStream out, String runs, String sides, List<String> remarks) {
    out.println();
    out.println(
        measured
            + " of "
            + planned
            + " "
            + runs
            + "; "
            + (holds()
                ? "in each, what was sent is answered, failed or refused, and " + sides + " agree."
                : "these do NOT agree:"));
    differences.forEach(difference -> out.println("  " + difference));
    remarks.forEach(remark -> out.println("  " + remark));
    ending.print(out);
  }

  private boolean holds() {
    return differences.isEmpty();
  }

  /** Adds to the file of figures. */
  protected final void put(String name, @Nullable Object value) {
    figures.put(name, value);
  }

  /** Adds a file with a plot; one without a point is left out. */
  protected final void plot(String name, Plot plot) {
    if (!plot.isEmpty()) {
      plots.put(name, plot);
    }
  }

  /**
   * Writes the files and says where.
   *
   * @return the exit code
   * @throws Exception what broke the run off, after all that was measured is written
   */
  public final int write(Path directory, PrintStream out) throws Exception {
    fill();
    if (!shapes().isEmpty()) {
      figures.put("ratios", shapes().stream().map(Shape::json).toList());
    }
    figures.put("accountingHolds", holds());
    figures.put("differences", differences);
    for (Path file : files(directory)) {
      out.println("Written to " + file);
    }
    ending.rethrow();
    return holds() ? HOLDS : DOES_NOT_HOLD;
  }

  private List<Path> files(Path directory) throws IOException {
    Files.createDirectories(directory);
    List<Path> files = new ArrayList<>();
    files.add(Files.writeString(directory.resolve(system + ".json"), Json.write(figures)));
    for (Map.Entry<String, Plot> plot : plots.entrySet()) {
      Path file = directory.resolve(system + "-" + plot.getKey() + ".svg");
      files.add(Files.writeString(file, plot.getValue().svg()));
    }
    return files;
  }
}
