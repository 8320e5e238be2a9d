// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.contender;

/**
 * A contender whose own metrics show how its calls ended. So nothing has to be counted in the work,
 * which would be measured.
 */
public interface Counting extends Contender {

  /**
   * How calls ended: all of them, or, where the library keeps no more, those of its window. Not to
   * be asked while calls are measured.
   */
  Ends ends();

  /**
   * So many of each.
   *
   * @param failed their work failed and, where the library shows it, their fallback answered
   * @param others ended otherwise: successes, refusals, time-outs, calls without an answer
   */
  record Ends(long failed, long others) {}
}
