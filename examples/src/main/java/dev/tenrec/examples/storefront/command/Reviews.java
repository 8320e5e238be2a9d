// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.command;

import java.util.List;

/**
 * What others think of a product.
 *
 * @param sku of what
 * @param texts one for each review
 * @param available false if the shop could not ask, and shows none instead
 */
public record Reviews(String sku, List<String> texts, boolean available) {

  static Reviews unavailable(String sku) {
    return new Reviews(sku, List.of(), false);
  }
}
