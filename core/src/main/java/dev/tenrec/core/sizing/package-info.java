// SPDX-License-Identifier: Apache-2.0
/** From what was measured of a dependency to the settings of the command that guards it. */
@NullMarked
package dev.tenrec.core.sizing;

import org.jspecify.annotations.NullMarked;
