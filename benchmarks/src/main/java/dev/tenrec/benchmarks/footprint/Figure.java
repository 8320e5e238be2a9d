// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.footprint;

/** What is reported of each library's commands: bytes each, but for the threads. */
public enum Figure {
  NEVER_CALLED("NeverCalled"),
  AFTER_10000_CALLS("After10000Calls"),
  BUSY_ON_8_THREADS("BusyOn8Threads"),
  PER_CALL_IN_FLIGHT("PerCallInFlight"),
  THREADS_PER_1000_COMMANDS("ThreadsPer1000Commands");

  private final String label;

  Figure(String label) {
    this.label = label;
  }

  /** Its name in tables and gates. */
  public String label() {
    return label;
  }
}
