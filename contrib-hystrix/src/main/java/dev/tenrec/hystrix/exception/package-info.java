// SPDX-License-Identifier: Apache-2.0
/** What callers get instead of an answer. */
@NullMarked
package dev.tenrec.hystrix.exception;

import org.jspecify.annotations.NullMarked;
