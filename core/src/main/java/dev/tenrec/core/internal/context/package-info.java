// SPDX-License-Identifier: Apache-2.0
/**
 * Captures what a call takes along from its caller's thread, and installs it where work and
 * fallback run.
 */
@NullMarked
package dev.tenrec.core.internal.context;

import org.jspecify.annotations.NullMarked;
