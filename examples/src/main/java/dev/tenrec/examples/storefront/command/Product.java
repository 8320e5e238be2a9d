// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.command;

/**
 * A product, from the catalog.
 *
 * @param sku which
 * @param name what it is called
 */
public record Product(String sku, String name) {}
