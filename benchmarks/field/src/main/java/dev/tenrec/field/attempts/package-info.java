// SPDX-License-Identifier: Apache-2.0
/**
 * Experiments with further attempts and with deadlines: hedges before a service with a slow tail,
 * and deadlines that travel through a chain of services. The retries are with the collapsing
 * provider, in {@link dev.tenrec.field.thrift.Collapse}.
 */
@NullMarked
package dev.tenrec.field.attempts;

import org.jspecify.annotations.NullMarked;
