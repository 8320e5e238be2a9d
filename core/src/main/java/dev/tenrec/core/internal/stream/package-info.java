// SPDX-License-Identifier: Apache-2.0
/**
 * Work that answers with a publisher: the bridge between its subscription and the one of the
 * caller.
 */
@NullMarked
package dev.tenrec.core.internal.stream;

import org.jspecify.annotations.NullMarked;
