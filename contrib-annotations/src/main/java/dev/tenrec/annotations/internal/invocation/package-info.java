// SPDX-License-Identifier: Apache-2.0
/** Declared methods as commands: what happens on each call. */
@NullMarked
package dev.tenrec.annotations.internal.invocation;

import org.jspecify.annotations.NullMarked;
