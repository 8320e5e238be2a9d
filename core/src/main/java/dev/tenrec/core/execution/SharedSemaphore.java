// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.isolation.Permits;

/**
 * Permits that several commands share.
 *
 * @param name by which they share them
 * @param permits resized by its own property, live
 */
public record SharedSemaphore(String name, Permits permits) {}
