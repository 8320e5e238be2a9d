// SPDX-License-Identifier: Apache-2.0
/** Requests: what the commands of one piece of work share. */
@NullMarked
package dev.tenrec.hystrix.strategy.concurrency;

import org.jspecify.annotations.NullMarked;
