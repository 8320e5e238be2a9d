// SPDX-License-Identifier: Apache-2.0
/** The engines side by side, in heaps of two sizes, against a quick and a slow service. */
@NullMarked
package dev.tenrec.field.load.comparison;

import org.jspecify.annotations.NullMarked;
