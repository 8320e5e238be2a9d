// SPDX-License-Identifier: Apache-2.0
/** What calls with equal keys share in one request: one run, and its result. */
@NullMarked
package dev.tenrec.core.internal.cache;

import org.jspecify.annotations.NullMarked;
