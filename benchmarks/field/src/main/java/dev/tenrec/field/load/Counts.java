// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import dev.tenrec.field.kit.Reconciliation;

/**
 * How many calls, by what became of them.
 *
 * @param answered as they should be
 * @param failed otherwise: no answer, or one that reports an error
 * @param refused by a command, or by the service with status 429 or 503
 * @param dropped never sent: the load ended before an engine got to them, or it could not begin
 *     them
 * @param sent begun
 * @param due those the arrivals asked for
 * @param inFlight sent, and not ended yet
 */
public record Counts(
    long answered, long failed, long refused, long dropped, long sent, long due, long inFlight) {

  /** Those that are over, sent or not. */
  public long ended() {
    return answered + failed + refused + dropped;
  }

  /** Whether every call is accounted for. */
  public boolean balance() {
    return due == sent + dropped && sent == answered + failed + refused && inFlight == 0;
  }

  /** Has every call accounted for, with the name of the load before what is not. */
  public void reconcile(String name, Reconciliation reconciliation) {
    reconciliation.same(name + "due", due, "sent + never sent", sent + dropped);
    reconciliation.same(
        name + "sent", sent, "answered + failed + refused", answered + failed + refused);
  }
}
