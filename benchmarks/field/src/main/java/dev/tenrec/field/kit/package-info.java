// SPDX-License-Identifier: Apache-2.0
/** What every field system uses. */
@NullMarked
package dev.tenrec.field.kit;

import org.jspecify.annotations.NullMarked;
