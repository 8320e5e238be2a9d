// SPDX-License-Identifier: Apache-2.0
/** Text of others, made fit for a line of ours. */
@NullMarked
package dev.tenrec.core.internal.text;

import org.jspecify.annotations.NullMarked;
