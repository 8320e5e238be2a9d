// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet;

/** A change of a fleet's settings was refused; nothing was written. */
public final class FleetRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /** Why changes are refused. */
  public enum Reason {
    /** Another change came first. */
    CONFLICT,
    /** A setting breaks a rule, or the change makes no sense. */
    INVALID,
    /** Nothing may be changed now. */
    FROZEN,
    /** The store has not authenticated the author. */
    NOT_AUTHENTICATED,
    /** A stronger layer would beat what is promoted. */
    MASKED,
    /** A document would become too large. */
    TOO_LARGE
  }

  /** With what was refused, and what was expected. */
  public FleetRefusedException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Why. */
  public Reason reason() {
    return reason;
  }
}
