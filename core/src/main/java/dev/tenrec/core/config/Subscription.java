// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

/** Ends what was subscribed. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {

  /**
   * No call begins after this has returned; one that has begun may still be running. Idempotent.
   */
  @Override
  void close();
}
