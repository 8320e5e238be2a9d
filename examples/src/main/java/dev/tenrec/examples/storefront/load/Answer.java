// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.load;

/**
 * One answered call, as its caller saw it.
 *
 * @param sentNanos when it was sent, since the run began
 * @param latencyNanos how long the caller waited
 * @param ending how it was answered
 */
public record Answer(long sentNanos, long latencyNanos, Ending ending) {}
