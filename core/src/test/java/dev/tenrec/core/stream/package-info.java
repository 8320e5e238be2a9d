// SPDX-License-Identifier: Apache-2.0
/** Commands whose answer is a stream. */
@NullMarked
package dev.tenrec.core.stream;

import org.jspecify.annotations.NullMarked;
