// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.report;

/**
 * One line of the accounting.
 *
 * @param holds whether it is so
 * @param text what was looked at, with its numbers
 */
public record Check(boolean holds, String text) {}
