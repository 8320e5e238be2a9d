// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import dev.tenrec.field.kit.Program;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.http.HttpTarget;
import java.io.PrintStream;

/** The load driver as a program. */
public final class Load {

  private static final int DOES_NOT_BALANCE = 1;

  private Load() {}

  /**
   * Runs it.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    Program.main(
        "load",
        Arguments.USAGE,
        arguments,
        (words, stop, out) -> run(Arguments.read(words), stop, out));
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
