// SPDX-License-Identifier: Apache-2.0
/**
 * What an operator asks of one Tenrec, live: views of commands, pools, semaphores, rate limiters
 * and collapsers with their settings, and the journal of what happened to them. They extend the
 * views of {@code dev.tenrec.metrics.view}, which cannot name what core has.
 */
@NullMarked
package dev.tenrec.core.view;

import org.jspecify.annotations.NullMarked;
