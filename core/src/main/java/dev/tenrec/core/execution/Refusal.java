// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.breaker.Permission;

/** What the gates answer instead of a permission. Constants: a refusal costs nothing to say. */
final class Refusal implements Permission {

  /** The breaker said no. */
  static final Refusal SHORT_CIRCUITED = new Refusal();

  /** The breaker let it through, the bulkhead did not. */
  static final Refusal REJECTED = new Refusal();

  private Refusal() {}
}
