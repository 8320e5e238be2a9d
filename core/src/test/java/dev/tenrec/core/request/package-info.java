// SPDX-License-Identifier: Apache-2.0
/** Request scope, and what calls of one request share. */
@NullMarked
package dev.tenrec.core.request;

import org.jspecify.annotations.NullMarked;
