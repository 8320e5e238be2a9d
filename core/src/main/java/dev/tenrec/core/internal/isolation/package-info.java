// SPDX-License-Identifier: Apache-2.0
/**
 * How many calls may be in flight ({@link Permits}), and the threads on which they run ({@link
 * WorkerPool}).
 */
@NullMarked
package dev.tenrec.core.internal.isolation;

import org.jspecify.annotations.NullMarked;
