// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** The frame of a program that measures: its help, its errors, its exit code, and Ctrl-C. */
public final class Program {

  private static final int BROKEN_OFF = 2;

  /** What it does. */
  @FunctionalInterface
  public interface Run {

    /**
     * Does it.
     *
     * @return the exit code
     * @throws IllegalArgumentException if an argument is wrong
     */
    int run(List<String> arguments, Stop stop, PrintStream out) throws Exception;
  }

  private Program() {}

  /**
   * Runs it and ends the JVM.
   *
   * @param name for its errors
   * @param usage is shown for {@code --help}, and after a wrong argument
   */
  public static void main(String name, String usage, String[] arguments, Run run) {
    List<String> words = List.of(arguments);
    if (words.contains("--help")) {
      System.out.print(usage);
      return;
    }
    int code;
    try (Stop stop = Stop.onCtrlC()) {
      code = tell(name, usage, words, stop, run);
    }
    System.exit(code);
  }

  /** After Ctrl-C the JVM ends when the stop is closed, so all has to be said before. */
  private static int tell(String name, String usage, List<String> words, Stop stop, Run run) {
    try {
      return run.run(words, stop, System.out);
    } catch (IllegalArgumentException wrong) {
      System.err.println(name + ": " + wrong.getMessage());
      System.err.print(usage);
    } catch (IllegalStateException | IOException impossible) {
      System.err.println(name + ": " + impossible.getMessage());
    } catch (Exception unexpected) {
      System.err.println(name + ": " + unexpected);
    }
    return BROKEN_OFF;
  }
}
