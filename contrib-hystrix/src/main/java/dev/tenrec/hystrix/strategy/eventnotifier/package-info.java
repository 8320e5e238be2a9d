// SPDX-License-Identifier: Apache-2.0
/** What hears of events. */
@NullMarked
package dev.tenrec.hystrix.strategy.eventnotifier;

import org.jspecify.annotations.NullMarked;
