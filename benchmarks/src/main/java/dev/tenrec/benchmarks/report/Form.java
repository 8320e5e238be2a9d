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

  /**
   * To be published: short enough that two JDKs and the plots are measured in an evening. Forks
   * differ more than iterations do, so there are few of these. A fork's five seconds do not outlast
   * a window of ten: buckets of a second still roll in it, but none grows old enough to leave it.
   */
  static final Form FULL = new Form(3, 2, 1_000, 3);

  /** So many forks where threads do not meet, whatever its own number is. */
  Form withForks(int number) {
    return new Form(warmups, iterations, millis, number);
  }

  int forks(Job job) {
    return job.threadsMeet() ? Math.max(forks, FORKS_OF_SEVERAL_THREADS) : forks;
  }
}
