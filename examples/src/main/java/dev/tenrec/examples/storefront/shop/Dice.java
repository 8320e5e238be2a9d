// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.shop;

import java.util.Random;

/** Chance that falls the same way in each run. Thread-safe. */
final class Dice {

  private final Random random;

  Dice(long seed) {
    random = new Random(seed);
  }

  boolean happens(double probability) {
    return random.nextDouble() < probability;
  }

  /** Between both, evenly; {@code least} included, {@code most} not. */
  long millis(int least, int most) {
    return random.nextInt(least, most);
  }
}
