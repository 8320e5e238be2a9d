// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import dev.tenrec.field.thrift.consumer.Strategy;
import org.jspecify.annotations.Nullable;

/** What is around a consumer's call of the provider. */
enum Guard {
  /** No command. */
  NONE("unguarded"),

  /** A command that limits how many calls are in flight, and has a circuit. */
  FULL("guarded"),

  /** The same command without the circuit: what that costs, or brings. */
  NO_CIRCUIT("guarded, no circuit"),

  /** A command that limits nothing, and makes one attempt. */
  ONCE(Strategy.NONE),

  /** The same, and it retries whatever it costs. */
  RETRIES(Strategy.UNBOUNDED),

  /** The same, and it retries on a budget. */
  BUDGET(Strategy.BUDGETED),

  /** The same, and it hedges on a budget. */
  HEDGES(Strategy.HEDGED);

  private final String label;
  private final @Nullable Strategy strategy;

  Guard(String label) {
    this.label = label;
    this.strategy = null;
  }

  Guard(Strategy strategy) {
    this.label = strategy.label();
    this.strategy = strategy;
  }

  /** Of a command whose subject is further attempts; null for all others. */
  @Nullable Strategy strategy() {
    return strategy;
  }

  /** Whether a command limits how many calls are in flight. */
  boolean isLimited() {
    return this == FULL || this == NO_CIRCUIT;
  }

  String label() {
    return label;
  }

  @Override
  public String toString() {
    return label;
  }
}
