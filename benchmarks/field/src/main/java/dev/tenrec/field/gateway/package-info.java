// SPDX-License-Identifier: Apache-2.0
/**
 * System 3 from the field: a gateway in front of a service, its load, and the reconciliation of
 * their counts.
 */
@NullMarked
package dev.tenrec.field.gateway;

import org.jspecify.annotations.NullMarked;
