// SPDX-License-Identifier: Apache-2.0
/** What answers when the work does not. */
@NullMarked
package dev.tenrec.core.fallback;

import org.jspecify.annotations.NullMarked;
