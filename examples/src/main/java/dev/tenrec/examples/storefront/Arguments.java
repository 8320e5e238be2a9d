// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;

/** Reads the command line. */
final class Arguments {

  static final String USAGE =
      """
      The storefront: three services, called through Tenrec.
        --seconds N    for how long shoppers come, 8 to 3600 (default 25)
        --short        as --seconds 10
        --visits N     shoppers in a second, 5 to 500 (default 50)
        --seed N       another run of luck (default 1)
        --directory D  where settings and report are written (default examples/target, or target from within examples)
      """;

  private static final int SHORT_SECONDS = 10;

  private Arguments() {}

  /**
   * What the arguments say.
   *
   * @throws IllegalArgumentException if they say something that is not in the usage; the message
   *     says what
   */
  static Scenario read(List<String> arguments) {
    int seconds = 25;
    int visits = 50;
    int seed = 1;
    Path directory = defaultDirectory();
    Iterator<String> words = arguments.iterator();
    while (words.hasNext()) {
      String word = words.next();
      switch (word) {
        case "--short" -> seconds = SHORT_SECONDS;
        case "--seconds" -> seconds = number(word, words, 8, 3_600);
        case "--visits" -> visits = number(word, words, 5, 500);
        case "--seed" -> seed = number(word, words, 0, Integer.MAX_VALUE);
        case "--directory" -> directory = Path.of(value(word, words));
        default -> throw new IllegalArgumentException("unknown argument " + word);
      }
    }
    return new Scenario(Duration.ofSeconds(seconds), visits, seed, directory);
  }

  private static Path defaultDirectory() {
    return Files.isDirectory(Path.of("examples"))
        ? Path.of("examples", "target")
        : Path.of("target");
  }

  private static int number(String word, Iterator<String> words, int least, int most) {
    String text = value(word, words);
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException notANumber) {
      // said below
    }
    throw new IllegalArgumentException(
        word + " is " + text + ", expected a whole number from " + least + " to " + most);
  }

  private static String value(String word, Iterator<String> words) {
    if (!words.hasNext()) {
      throw new IllegalArgumentException(word + " has no value");
    }
    return words.next();
  }
}
