// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

/** What is around a consumer's call of the provider. */
enum Guard {
  /** No command. */
  NONE("unguarded"),

  /** A command that limits how many calls are in flight, and has a circuit. */
  FULL("guarded"),

  /** The same command without the circuit: what that costs, or brings. */
  NO_CIRCUIT("guarded, no circuit");

  private final String label;

  Guard(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }
}
