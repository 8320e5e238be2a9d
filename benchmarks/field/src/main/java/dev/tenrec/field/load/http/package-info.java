// SPDX-License-Identifier: Apache-2.0
/** Plain HTTP, blocking and not, with no more memory than a call needs. */
@NullMarked
package dev.tenrec.field.load.http;

import org.jspecify.annotations.NullMarked;
