// SPDX-License-Identifier: Apache-2.0
/**
 * The JDK's HTTP server: which requests are answered, and with what. Knows nothing of what it hands
 * out.
 */
@NullMarked
package dev.tenrec.console.internal.door;

import org.jspecify.annotations.NullMarked;
