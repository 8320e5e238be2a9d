// SPDX-License-Identifier: Apache-2.0
/** Health, once for each line of Boot, whose types have moved. Not for users. */
@NullMarked
package dev.tenrec.actuator.internal.health;

import org.jspecify.annotations.NullMarked;
