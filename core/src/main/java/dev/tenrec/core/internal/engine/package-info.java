// SPDX-License-Identifier: Apache-2.0
/**
 * What one Tenrec is made of, by key: its commands, collapsers, pools, shared semaphores and shared
 * rate limiters. Start at {@link Registry}.
 */
@NullMarked
package dev.tenrec.core.internal.engine;

import org.jspecify.annotations.NullMarked;
