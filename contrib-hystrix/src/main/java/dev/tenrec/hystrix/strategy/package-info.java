// SPDX-License-Identifier: Apache-2.0
/** What an application registers once for all of its commands. */
@NullMarked
package dev.tenrec.hystrix.strategy;

import org.jspecify.annotations.NullMarked;
