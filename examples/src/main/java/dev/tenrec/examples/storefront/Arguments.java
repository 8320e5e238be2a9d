// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront;

import dev.tenrec.examples.shared.Words;
import java.nio.file.Path;
import java.time.Duration;
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
    Path directory = Words.defaultDirectory();
    Words words = new Words(arguments);
    while (words.hasNext()) {
      String word = words.next();
      switch (word) {
        case "--short" -> seconds = SHORT_SECONDS;
        case "--seconds" -> seconds = words.number(word, 8, 3_600);
        case "--visits" -> visits = words.number(word, 5, 500);
        case "--seed" -> seed = words.number(word, 0, Integer.MAX_VALUE);
        case "--directory" -> directory = Path.of(words.value(word));
        default -> throw new IllegalArgumentException("unknown argument " + word);
      }
    }
    return new Scenario(Duration.ofSeconds(seconds), visits, seed, directory);
  }
}
