// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.core.kit.SchedulingNoise;
import java.util.concurrent.TimeUnit;

/**
 * How long a test waits for what must come: so long by the clock, and until threads that only sleep
 * and wake each other have got so far. So a machine that is busy with other things is waited for.
 */
final class Patience {

  private static final long NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final int ROUNDS = 300;

  private final SchedulingNoise noise;
  private final int divisor;
  private final long startNanos = System.nanoTime();
  private final int startRounds;

  /**
   * Begins now.
   *
   * @param isShort once something has not come, and the test has failed anyway
   */
  Patience(SchedulingNoise noise, boolean isShort) {
    this.noise = noise;
    this.divisor = isShort ? 6 : 1;
    this.startRounds = noise.rounds();
  }

  boolean isOver() {
    return System.nanoTime() - startNanos > NANOS / divisor
        && noise.rounds() - startRounds > ROUNDS / divisor;
  }
}
