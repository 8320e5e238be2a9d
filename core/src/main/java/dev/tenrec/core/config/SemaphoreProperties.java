// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import java.util.List;

/**
 * The properties of a semaphore that several commands share, {@code <prefix>.semaphore.<name or
 * default>.<name>}.
 */
public final class SemaphoreProperties {

  private static final Declarations DECLARED = new Declarations("semaphore");

  /** How many executions may hold a permit; 0 rejects all, 10 by default. */
  public static final Property<Integer> MAX_CONCURRENT =
      DECLARED.count("maxConcurrentRequests", 10, Rule.atLeast(0));

  private static final List<Property<?>> ALL = DECLARED.all();

  private SemaphoreProperties() {}

  /**
   * All properties of a shared semaphore, in the order of their {@linkplain Property#index()
   * indices}.
   */
  public static List<Property<?>> all() {
    return ALL;
  }
}
