// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.store;

/**
 * A text as a store has it.
 *
 * @param text the text
 * @param revision rises with each write of this name; only compared for equality
 * @param writtenMillis when it was written, by the engine's clock, in milliseconds since 1970
 */
public record Stored(String text, long revision, long writtenMillis) {}
