// SPDX-License-Identifier: Apache-2.0
/** Four ways to have many calls in flight. */
@NullMarked
package dev.tenrec.field.load.engine;

import org.jspecify.annotations.NullMarked;
