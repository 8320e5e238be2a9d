// SPDX-License-Identifier: Apache-2.0
/** What runs at each step of each execution. */
@NullMarked
package dev.tenrec.hystrix.strategy.executionhook;

import org.jspecify.annotations.NullMarked;
