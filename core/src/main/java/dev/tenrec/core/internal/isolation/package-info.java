// SPDX-License-Identifier: Apache-2.0
/** Permits, pools and threads: how many calls may be in flight, and where they run. */
@NullMarked
package dev.tenrec.core.internal.isolation;

import org.jspecify.annotations.NullMarked;
