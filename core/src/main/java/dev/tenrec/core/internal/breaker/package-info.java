// SPDX-License-Identifier: Apache-2.0
/** The circuit breaker: its states, its trials, its journal. */
@NullMarked
package dev.tenrec.core.internal.breaker;

import org.jspecify.annotations.NullMarked;
