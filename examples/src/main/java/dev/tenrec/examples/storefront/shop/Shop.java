// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.shop;

import java.io.IOException;

/**
 * The three services, running.
 *
 * @param catalog knows the products; in good health
 * @param pricing knows the prices; in good health, with a slow tail
 * @param reviews knows what others think of it; may die and come back
 */
public record Shop(HttpService catalog, HttpService pricing, HttpService reviews)
    implements AutoCloseable {

  /**
   * Starts all three.
   *
   * @param seed decides which service is slow when
   */
  public static Shop open(long seed) throws IOException {
    return new Shop(
        new HttpService("catalog", new Catalog(seed)),
        new HttpService("pricing", new Pricing(seed + 1)),
        new HttpService("reviews", new Reviews(seed + 2)));
  }

  @Override
  public void close() throws IOException {
    try (catalog;
        pricing;
        reviews) {
      // each is closed, whatever becomes of the others
    }
  }
}
