/** The circuit breaker: its states, its trials, its journal. */
@NullMarked
package dev.tenrec.core.breaker;

import org.jspecify.annotations.NullMarked;
