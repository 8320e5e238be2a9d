// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.command;

/**
 * A price, from pricing.
 *
 * @param sku of what
 * @param cents how much
 */
public record Price(String sku, long cents) {}
