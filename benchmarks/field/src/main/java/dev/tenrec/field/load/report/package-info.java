// SPDX-License-Identifier: Apache-2.0
/** What a run is shown as. */
@NullMarked
package dev.tenrec.field.load.report;

import org.jspecify.annotations.NullMarked;
