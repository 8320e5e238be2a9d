// SPDX-License-Identifier: Apache-2.0
/** What closing a Tenrec, or removing a key, brings to an end. */
@NullMarked
package dev.tenrec.core.closing;

import org.jspecify.annotations.NullMarked;
