// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

/**
 * How long each fork runs, and how many there are.
 *
 * @param warmups iterations that do not count
 * @param iterations those that do
 * @param millis the length of each
 * @param forks JVMs for one thread; at least {@link #FORKS_OF_SEVERAL_THREADS} for more
 */
record Form(int warmups, int iterations, int millis, int forks) {

  /** Where threads meet, one JVM may be twice as fast as the next. */
  static final int FORKS_OF_SEVERAL_THREADS = 5;

  /** To see whether something broke. */
  static final Form SHORT = new Form(3, 3, 250, 2);

  /** To be published. */
  static final Form FULL = new Form(5, 5, 400, 5);

  int forks(int threads) {
    return threads > 1 ? Math.max(forks, FORKS_OF_SEVERAL_THREADS) : forks;
  }
}
