// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import java.util.List;

/**
 * The properties of a semaphore that several commands share, {@code <prefix>.semaphore.<name or
 * default>.<name>}.
 */
public final class SemaphoreProperties {

  private static final PropertyTable.Builder ALL = PropertyTable.of("semaphore");

  public static final Property<Integer> MAX_CONCURRENT =
      ALL.count("maxConcurrentRequests", 10, Rule.atLeast(0));

  static final Scope<SemaphoreSettings> SCOPE =
      new Scope<>(ALL.build(), List.of(), SemaphoreSettings::of);

  private SemaphoreProperties() {}
}
