/**
 * Calls that come within a short time become one: who joins which batch, when it starts, and whose
 * answer is whose. Knows neither executions nor requests.
 */
@NullMarked
package dev.tenrec.core.collapser;

import org.jspecify.annotations.NullMarked;
