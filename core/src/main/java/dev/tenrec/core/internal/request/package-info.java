// SPDX-License-Identifier: Apache-2.0
/** The request scope: what calls of one request have in common, from its opening to its end. */
@NullMarked
package dev.tenrec.core.internal.request;

import org.jspecify.annotations.NullMarked;
