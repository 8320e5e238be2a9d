// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * What a follower is made of.
 *
 * @param store where the settings are
 * @param id the instance
 * @param zone its zone, if it has one
 * @param prefix what keys begin with
 * @param lastGood where to keep what it had last, if anywhere
 * @param ticker monotonic time
 * @param waiter waits for it
 * @param wallClock this machine's clock
 */
public record FollowerPlan(
    FleetStore store,
    String id,
    @Nullable String zone,
    String prefix,
    @Nullable LastGood lastGood,
    Ticker ticker,
    Waiter waiter,
    InstantSource wallClock) {}
