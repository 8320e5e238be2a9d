// SPDX-License-Identifier: Apache-2.0
/** Circuit breakers as commands; what Feign clients will ask for. */
@NullMarked
package dev.tenrec.springcloud.internal;

import org.jspecify.annotations.NullMarked;
