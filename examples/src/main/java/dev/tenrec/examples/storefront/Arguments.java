// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The command line. */
@Command(
    name = "storefront",
    description = "Three services, called through Tenrec.",
    sortOptions = false)
final class Arguments implements Callable<Integer> {

  private static final int SHORT_SECONDS = 10;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "for how long shoppers come, 8 to 3600 (default ${DEFAULT-VALUE})")
  private int seconds = 25;

  @Option(names = "--short", description = "as --seconds " + SHORT_SECONDS)
  private boolean isShort;

  @Option(
      names = "--visits",
      paramLabel = "N",
      description = "shoppers in a second, 5 to 500 (default ${DEFAULT-VALUE})")
  private int visits = 50;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "another run of luck (default ${DEFAULT-VALUE})")
  private int seed = 1;

  @Option(
      names = "--directory",
      paramLabel = "D",
      description = "where settings and report are written (default ${DEFAULT-VALUE})")
  private Path directory =
      Files.isDirectory(Path.of("examples")) ? Path.of("examples", "target") : Path.of("target");

  @Option(names = "--help", usageHelp = true, description = "shows this")
  private boolean help;

  /** Runs the storefront; returns its exit code. */
  @Override
  public Integer call() throws Exception {
    return Storefront.run(scenario(), System.out);
  }

  /**
   * What the arguments say.
   *
   * @throws ParameterException if a number is out of its range; the message names the range
   */
  Scenario scenario() {
    int length = isShort ? SHORT_SECONDS : seconds;
    require("--seconds", length, 8, 3_600);
    require("--visits", visits, 5, 500);
    require("--seed", seed, 0, Integer.MAX_VALUE);
    return new Scenario(Duration.ofSeconds(length), visits, seed, directory);
  }

  private void require(String option, int number, int least, int most) {
    if (number < least || number > most) {
      throw new ParameterException(
          new CommandLine(this),
          option + " is " + number + ", expected a whole number from " + least + " to " + most);
    }
  }
}
