// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import dev.tenrec.core.config.SemaphoreProperties;
import java.util.List;

/**
 * The settings of a semaphore that several commands share.
 *
 * @param maxConcurrent how many executions may hold a permit; 0 refuses all
 */
public record SemaphoreSettings(int maxConcurrent) {

  static final Scope<SemaphoreSettings> SCOPE =
      new Scope<>(new PropertyTable(SemaphoreProperties.all()), List.of(), SemaphoreSettings::of);

  static SemaphoreSettings of(Values values) {
    return new SemaphoreSettings(values.get(SemaphoreProperties.MAX_CONCURRENT));
  }
}
