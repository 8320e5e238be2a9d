// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.load;

import dev.tenrec.examples.load.http.HttpTarget;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** The load driver as a program. */
public final class Load {

  private static final int DOES_NOT_BALANCE = 1;
  private static final int USAGE = 2;

  private Load() {}

  /**
   * Runs it.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) throws Exception {
    List<String> words = List.of(arguments);
    if (words.contains("--help")) {
      System.out.print(Arguments.USAGE);
      return;
    }
    int code;
    try (Stop stop = Stop.onCtrlC()) {
      code = tell(words, stop);
    }
    System.exit(code);
  }

  /** After Ctrl-C the JVM ends when the stop is closed, so all has to be said before. */
  private static int tell(List<String> words, Stop stop) {
    try {
      return run(Arguments.read(words), stop, System.out);
    } catch (IllegalArgumentException wrong) {
      System.err.println("load: " + wrong.getMessage());
      System.err.print(Arguments.USAGE);
    } catch (IllegalStateException | IOException impossible) {
      System.err.println("load: " + impossible.getMessage());
    } catch (Exception unexpected) {
      System.err.println("load: " + unexpected);
    }
    return USAGE;
  }

  static int run(Arguments arguments, Stop stop, PrintStream out) throws Exception {
    Plan plan = arguments.plan();
    FileHandles.requireFor(plan.mostInFlight(arguments.timeout()));
    try (HttpTarget target =
        new HttpTarget(arguments.address(), arguments.timeout(), plan.threads())) {
      out.println("Load on " + arguments.address() + ", Java " + Runtime.version());
      Result result = new Driver(plan, target, stop, Progress.on(out)).run();
      Report report = new Report(result);
      report.print(out);
      report.write(arguments.directory()).forEach(file -> out.println("Written to " + file));
      return result.counts().balance() ? 0 : DOES_NOT_BALANCE;
    }
  }
}
