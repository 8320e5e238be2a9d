// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.breaker.Permission;
import dev.tenrec.core.outcome.CommandException;
import dev.tenrec.metrics.event.EventType;

/** What the gates answer instead of a permission. Constants: a refusal costs nothing to say. */
final class Refusal implements Permission {

  /** The breaker said no. */
  static final Refusal SHORT_CIRCUITED = new Refusal();

  /** The breaker let it through, the bulkhead did not. */
  static final Refusal REJECTED = new Refusal();

  private Refusal() {}

  EventType event(Plan plan) {
    return this == SHORT_CIRCUITED ? EventType.SHORT_CIRCUITED : plan.bulkhead.rejection();
  }

  CommandException error(CommandRuntime runtime, Plan plan) {
    return this == SHORT_CIRCUITED
        ? runtime.breakerGate.refusal(plan)
        : plan.bulkhead.refusal(runtime.commandKey, runtime.stackTraces);
  }
}
