// SPDX-License-Identifier: Apache-2.0
/** What counts are named by. */
@NullMarked
package dev.tenrec.hystrix.util;

import org.jspecify.annotations.NullMarked;
