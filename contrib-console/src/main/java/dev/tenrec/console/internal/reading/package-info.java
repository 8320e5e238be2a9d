// SPDX-License-Identifier: Apache-2.0
/** What the page is sent: views as compact JSON. Knows nothing of how it is served. */
@NullMarked
package dev.tenrec.console.internal.reading;

import org.jspecify.annotations.NullMarked;
