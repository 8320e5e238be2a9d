// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.feed;

import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;

/**
 * How a feed behaves.
 *
 * @param name of its thread
 * @param intervalNanos from one reading to the next
 * @param backlog how many readings wait for a client that is behind; beyond that it loses the
 *     oldest, or of a source of changes gets all there is in their place
 * @param maxClients how many there may be at once
 * @param stallNanos how long a client may take nothing of what waits for it
 */
public record FeedPlan(
    String name,
    long intervalNanos,
    int backlog,
    int maxClients,
    long stallNanos,
    Ticker ticker,
    Waiter waiter) {}
