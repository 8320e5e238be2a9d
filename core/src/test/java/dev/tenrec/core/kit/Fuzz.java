// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import java.util.Random;

/**
 * Rounds with inputs that are made up. Each round has a seed of its own, which a failure names: it
 * is played again alone by {@code -Dtenrec.seed=<it>}, in its first round.
 */
public final class Fuzz {

  /** In each build, the same inputs each time. */
  public static final int IN_EACH_BUILD = 400;

  /** In the profile {@code long}. */
  public static final int LONG = 200_000;

  private static final long SEED = Long.getLong("tenrec.seed", 20_261_123L);

  /** Pieces that have a meaning somewhere, or are at an end of some range. */
  private static final String[] PIECES = {
    "",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\f",
    "\\",
    "\\u",
    "\\u00e",
    "\\u00e9",
    "=",
    ":",
    "#",
    "!",
    ".",
    ",",
    "-",
    "_",
    "[",
    "]",
    "].",
    "{",
    "}",
    "${",
    "${a}",
    "%s",
    "/",
    "..",
    "\"",
    "'",
    "\u00a0",
    "\u2028",
    "\u0661",
    "\u0130",
    "\uFEFF",
    "\uD83E\uDD94",
    "\uD83E",
    "\uDD94",
    "0",
    "1",
    "-1",
    "250",
    "2147483647",
    "2147483648",
    "9223372036854775807",
    "9223372036854775808",
    "1e9",
    "0x10",
    "ns",
    "us",
    "ms",
    "s",
    "m",
    "h",
    "d",
    "H",
    "M",
    "S",
    "u",
    "n",
    "PT",
    "PT0.25S",
    "P1D",
    "true",
    "OFF",
    "null",
    "default",
    "tenrec.",
    "tenrec.command.",
    "thread-pool",
    "execution.isolation.strategy",
    "SEMAPHORE"
  };

  private Fuzz() {}

  /** What is done with the inputs of one round. */
  @FunctionalInterface
  public interface Round {

    /** Fails if something is not as it has to be. */
    void play(Random random) throws Exception;
  }

  /** Plays so many rounds. */
  public static void rounds(int count, Round round) {
    for (int i = 0; i < count; i++) {
      long seed = SEED + i;
      try {
        round.play(new Random(seed));
      } catch (Throwable failed) {
        throw new AssertionError("with -Dtenrec.seed=" + seed + ": " + failed, failed);
      }
    }
  }

  /** A short text, of such pieces and of any characters. */
  public static String text(Random random) {
    StringBuilder text = new StringBuilder();
    int pieces = random.nextInt(6);
    for (int i = 0; i < pieces; i++) {
      switch (random.nextInt(4)) {
        case 0 -> text.append((char) random.nextInt(Character.MAX_VALUE + 1));
        case 1 -> text.append((char) ('!' + random.nextInt('~' - '!')));
        default -> text.append(PIECES[random.nextInt(PIECES.length)]);
      }
    }
    return text.toString();
  }

  /** {@code text} with a piece taken away, doubled, or put in. */
  public static String mutilated(Random random, String text) {
    int from = random.nextInt(text.length() + 1);
    int to = from + random.nextInt(text.length() - from + 1);
    return switch (random.nextInt(3)) {
      case 0 -> text.substring(0, from) + text.substring(to);
      case 1 -> text.substring(0, to) + text.substring(from);
      default -> text.substring(0, from) + text(random) + text.substring(from);
    };
  }
}
