// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.metadata;

/**
 * The properties of a shared semaphore as a tree, from which editors complete them below any key.
 * Nothing implements it.
 */
public interface SemaphoreKeys {

  Integer getMaxConcurrentRequests();

  /** Executions that may hold a permit, of all commands that share it. 0 refuses all. */
  void setMaxConcurrentRequests(Integer value);
}
