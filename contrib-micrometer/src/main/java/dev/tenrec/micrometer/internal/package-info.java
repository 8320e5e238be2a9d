// SPDX-License-Identifier: Apache-2.0
/** Which meters there are, and how a Micrometer registry gets them. Not for users. */
@NullMarked
package dev.tenrec.micrometer.internal;

import org.jspecify.annotations.NullMarked;
