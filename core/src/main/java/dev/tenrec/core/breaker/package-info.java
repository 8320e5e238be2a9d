// SPDX-License-Identifier: Apache-2.0
/** What a circuit breaker reports: its state, its transitions, and the rules it goes by. */
@NullMarked
package dev.tenrec.core.breaker;

import org.jspecify.annotations.NullMarked;
