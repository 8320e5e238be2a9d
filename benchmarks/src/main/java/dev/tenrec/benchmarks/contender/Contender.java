// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.contender;

/** One library's guard around one piece of work. Thread-safe. */
public interface Contender extends AutoCloseable {

  /** Calls and waits; answers from the fallback if there is one, else throws what kept it. */
  String call(String question);

  /** Whether its circuit breaker refuses calls now. */
  boolean isOpen();

  /** Ends its threads, as far as the library can. */
  @Override
  void close();
}
