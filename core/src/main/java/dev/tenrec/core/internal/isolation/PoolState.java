// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

/**
 * A pool's numbers at one moment.
 *
 * @param limits the sizes in force
 * @param threads threads there are, idle ones included
 * @param active threads that run a task
 * @param queued tasks that wait for a thread; those abandoned do not count
 * @param largest the most threads there ever were
 * @param completed tasks that ran and stopped, since the pool was made
 */
public record PoolState(
    PoolLimits limits, int threads, int active, int queued, int largest, long completed) {}
