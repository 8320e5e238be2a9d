// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import java.time.Duration;

/**
 * User code that did not end when its Tenrec was closed, although it was interrupted. Its thread is
 * a daemon.
 *
 * @param thread the thread's name
 * @param commandKey whose work it is
 * @param age for how long it has been running
 */
public record StillRunning(String thread, String commandKey, Duration age) {}
