// SPDX-License-Identifier: Apache-2.0
/** The instruments there are, and how they are read. */
@NullMarked
package dev.tenrec.opentelemetry.internal;

import org.jspecify.annotations.NullMarked;
