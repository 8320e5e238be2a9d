// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.work;

/**
 * What runs right before the work of every call, as its first part: for faults that tests and
 * drills bring in. Registered on a Tenrec's builder. Thread-safe.
 */
@FunctionalInterface
public interface BeforeWork {

  /**
   * Runs on the thread that will do the work, once for each attempt, within the call's permit and
   * deadline. It may wait, and so make the work late; it is interrupted as the work would be.
   *
   * @param call the execution whose work is next
   * @throws Exception any: the work does not run, and has failed with it
   */
  void run(Call call) throws Exception;
}
