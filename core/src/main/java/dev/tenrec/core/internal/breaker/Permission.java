// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.breaker;

/**
 * What a call was let through by; it shows it again when it ends. It remembers the breaker's state
 * at the call's beginning, so that a result which is older than the last transition can be
 * distinguished from a present one. Not sealed: a gate may answer with a refusal in its place.
 */
public interface Permission {

  /**
   * For a call that the breaker was not asked about, or not listened to. It changes no state, and
   * its result always counts.
   */
  Permission UNGUARDED = Unguarded.INSTANCE;
}
