// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

/**
 * A pool's thread that is running a task.
 *
 * @param thread the thread, for its name and its stack
 * @param task what it runs
 * @param sinceNanos when it began, on the scale of the pool's ticker
 */
public record BusyThread(Thread thread, Task task, long sinceNanos) {}
