// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.footprint;

/** Commands of one library, each with a key of its own, on their caller's thread. */
public interface Population extends AutoCloseable {

  /** Makes so many more, and calls none. */
  void add(int commands);

  /** How many there are. */
  int size();

  /** Calls one. */
  void call(int command);

  /**
   * Starts so many calls of one more command: one works and stays at it, the others wait for a
   * thread, their deadlines an hour away.
   *
   * @return what the caller holds of them
   */
  Object start(int calls);

  /** Lets what was started end. */
  @Override
  void close();
}
