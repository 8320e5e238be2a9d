// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.advice;

/**
 * A setting that should be another.
 *
 * @param scope {@code command}, {@code threadpool} or {@code semaphore}
 * @param key of the command, pool or semaphore
 * @param property its name, as {@code maxQueueSize}
 * @param present the value in force, as text
 * @param proposed the value that it should have, as text
 * @param reason why, with the figures it comes from
 */
public record Proposal(
    String scope, String key, String property, String present, String proposed, String reason) {

  /** The property's whole name under a prefix: {@code tenrec.threadpool.Quotes.coreSize}. */
  public String name(String prefix) {
    return prefix + "." + scope + "." + key + "." + property;
  }

  @Override
  public String toString() {
    return property + ": " + present + " -> " + proposed + " (" + reason + ")";
  }
}
