// SPDX-License-Identifier: Apache-2.0
/** Settings from Archaius 1, for applications that have it. */
@NullMarked
package dev.tenrec.hystrix.archaius;

import org.jspecify.annotations.NullMarked;
