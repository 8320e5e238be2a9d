// SPDX-License-Identifier: Apache-2.0
/** What tests of all kinds use: ways and doors of a call, held work, accounts. */
@NullMarked
package dev.tenrec.core.kit;

import org.jspecify.annotations.NullMarked;
