// SPDX-License-Identifier: Apache-2.0
/** What one Tenrec is made of: its commands, collapsers, pools and semaphores by key. */
@NullMarked
package dev.tenrec.core.internal.engine;

import org.jspecify.annotations.NullMarked;
