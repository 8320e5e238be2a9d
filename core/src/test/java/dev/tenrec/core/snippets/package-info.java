// SPDX-License-Identifier: Apache-2.0
/** The Java of the reference pages, compiled and run. */
@NullMarked
package dev.tenrec.core.snippets;

import org.jspecify.annotations.NullMarked;
