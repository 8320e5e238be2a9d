// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.breaker.Permission;

/** In the place of a permission: the breaker let the call through, the bulkhead did not. */
enum Rejected implements Permission {
  INSTANCE
}
