// SPDX-License-Identifier: Apache-2.0
/** Readings taken at intervals, shared by all subscribers, and handed to each at its own pace. */
@NullMarked
package dev.tenrec.core.internal.sampling;

import org.jspecify.annotations.NullMarked;
