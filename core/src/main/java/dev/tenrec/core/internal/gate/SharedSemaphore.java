// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.gate;

import dev.tenrec.core.internal.isolation.Permits;

/**
 * Permits that several commands share.
 *
 * @param name by which they share them
 * @param permits resized by its own property, live
 */
public record SharedSemaphore(String name, Permits permits) {}
