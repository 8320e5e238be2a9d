// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * The frame of a program that measures: its command line, its errors, its exit code, and Ctrl-C.
 */
@Command(sortOptions = false, footer = "Ctrl-C ends it with the results so far.")
public abstract class Program {

  private static final int BROKEN_OFF = 2;

  @Option(
      names = "--directory",
      paramLabel = "D",
      description = "where results are written (default ${DEFAULT-VALUE})")
  private Path directory =
      Files.isDirectory(Path.of("benchmarks", "field"))
          ? Path.of("benchmarks", "field", "target")
          : Path.of("target");

  @Option(names = "--help", usageHelp = true, description = "shows this")
  private boolean help;

  private List<String> arguments = List.of();

  /**
   * Measures and reports.
   *
   * @return the exit code
   * @throws ParameterException if an argument is wrong
   */
  protected abstract int run(Stop stop, PrintStream out) throws Exception;

  /** Where results go. */
  protected final Path directory() {
    return directory;
  }

  /** As they were given. */
  protected final List<String> arguments() {
    return arguments;
  }

  /**
   * A number from the command line.
   *
   * @throws ParameterException if it is not in this range
   */
  protected final int require(String option, int number, int least, int most) {
    if (number < least || number > most) {
      throw wrong(
          option + " is " + number + ", expected a whole number from " + least + " to " + most);
    }
    return number;
  }

  /** What to throw if an argument is wrong. */
  protected final ParameterException wrong(String message) {
    return new ParameterException(new CommandLine(this), message);
  }

  /** Runs it and ends the JVM. */
  public static void main(Program program, String[] arguments) {
    int code;
    Parent.watch();
    try (Stop stop = Stop.onCtrlC()) {
      code = report(program, List.of(arguments), stop);
    }
    System.exit(code);
  }

  /** After Ctrl-C the JVM ends when the stop is closed, so all has to be said before. */
  private static int report(Program program, List<String> arguments, Stop stop) {
    CommandLine line = line(program);
    String name = line.getCommandName();
    String usage = line.getUsageMessage(); // later, what was given would stand there as defaults
    try {
      return run(program, arguments, stop, System.out);
    } catch (ParameterException | IllegalArgumentException wrong) {
      System.err.println(name + ": " + wrong.getMessage());
      System.err.print(usage);
    } catch (IllegalStateException | IOException impossible) {
      System.err.println(name + ": " + impossible.getMessage());
    } catch (Exception unexpected) {
      System.err.println(name + ": " + unexpected);
    }
    return BROKEN_OFF;
  }

  /**
   * Reads the command line and runs it, or shows how to use it.
   *
   * @return the exit code
   * @throws ParameterException if an argument is wrong
   */
  public static int run(Program program, List<String> arguments, Stop stop, PrintStream out)
      throws Exception {
    CommandLine line = line(program);
    line.parseArgs(arguments.toArray(String[]::new));
    if (line.isUsageHelpRequested()) {
      line.usage(out);
      return 0;
    }
    program.arguments = List.copyOf(arguments);
    return program.run(stop, out);
  }

  private static CommandLine line(Program program) {
    return new CommandLine(program).setCaseInsensitiveEnumValuesAllowed(true);
  }
}
