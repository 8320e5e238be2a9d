// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.gate;

import dev.tenrec.core.internal.breaker.Permission;

/**
 * In the place of a permission: the breaker let the call through, a later gate did not. A class,
 * because each call asks for it, and that is cheaper to ask than for an interface.
 */
public abstract sealed class Rejected implements Permission
    permits RejectedByBulkhead, RejectedByRate {

  Rejected() {}
}
