// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

/**
 * How long each fork runs, and how many there are.
 *
 * @param warmups iterations that do not count
 * @param iterations those that do
 * @param millis the length of each
 * @param forks JVMs where one thread does everything; at least {@link #FORKS_OF_SEVERAL_THREADS}
 *     where threads meet
 */
record Form(int warmups, int iterations, int millis, int forks) {

  /** Where threads meet, one JVM may be twice as fast as the next. */
  static final int FORKS_OF_SEVERAL_THREADS = 5;

  /** To see whether something broke. */
  static final Form SHORT = new Form(3, 3, 250, 2);

  /** To be published: each fork outlasts a window of ten seconds. */
  static final Form FULL = new Form(5, 5, 1_000, 3);

  int forks(Job job) {
    return job.threadsMeet() ? Math.max(forks, FORKS_OF_SEVERAL_THREADS) : forks;
  }
}
