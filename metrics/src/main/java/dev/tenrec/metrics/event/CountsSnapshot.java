// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.event;

/**
 * What one command has counted, at a moment. Both are made of one sum, so {@code rolling} is never
 * more than {@code cumulative}.
 *
 * @param rolling in the rolling window, the unfinished bucket included
 * @param cumulative since the command was built
 */
public record CountsSnapshot(EventCounts rolling, EventCounts cumulative) {}
