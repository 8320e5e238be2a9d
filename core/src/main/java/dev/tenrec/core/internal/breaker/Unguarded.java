// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.breaker;

/** The permission of a call that goes through whatever the state. */
enum Unguarded implements Permission {
  INSTANCE
}
