// SPDX-License-Identifier: Apache-2.0
/**
 * From what a command is observed to do to the settings it should have, with the risk in numbers.
 */
@NullMarked
package dev.tenrec.core.advice;

import org.jspecify.annotations.NullMarked;
