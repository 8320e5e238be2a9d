// SPDX-License-Identifier: Apache-2.0
/** Keys, values and messages that come from outside, made fit for one line of a log. */
@NullMarked
package dev.tenrec.core.internal.text;

import org.jspecify.annotations.NullMarked;
