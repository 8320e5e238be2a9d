// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.gate;

/** Has the circuit's health looked at before a call is admitted. */
@FunctionalInterface
public interface HealthCheck {

  /** There was trouble that no thread has looked at for too long. On the caller's thread. */
  void lookBeforeCall(long nowNanos);
}
