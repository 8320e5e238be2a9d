// SPDX-License-Identifier: Apache-2.0
/** What publishes metrics for commands, pools and collapsers. */
@NullMarked
package dev.tenrec.hystrix.strategy.metrics;

import org.jspecify.annotations.NullMarked;
