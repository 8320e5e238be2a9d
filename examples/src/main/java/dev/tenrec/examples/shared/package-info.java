// SPDX-License-Identifier: Apache-2.0
/** What every example uses: a run's clock, and JSON. */
@NullMarked
package dev.tenrec.examples.shared;

import org.jspecify.annotations.NullMarked;
