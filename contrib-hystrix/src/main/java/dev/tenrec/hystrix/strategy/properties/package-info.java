// SPDX-License-Identifier: Apache-2.0
/** Settings as they are read. */
@NullMarked
package dev.tenrec.hystrix.strategy.properties;

import org.jspecify.annotations.NullMarked;
