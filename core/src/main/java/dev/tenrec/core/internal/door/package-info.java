// SPDX-License-Identifier: Apache-2.0
/** The ways in that do not wait: futures and Rx types, completed by the ending of an execution. */
@NullMarked
package dev.tenrec.core.internal.door;

import org.jspecify.annotations.NullMarked;
