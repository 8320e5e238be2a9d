// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

/**
 * The settings of a semaphore that several commands share.
 *
 * @param maxConcurrent how many executions may hold a permit; 0 refuses all
 */
public record SemaphoreSettings(int maxConcurrent) {

  static SemaphoreSettings of(Values values) {
    return new SemaphoreSettings(values.get(SemaphoreProperties.MAX_CONCURRENT));
  }
}
