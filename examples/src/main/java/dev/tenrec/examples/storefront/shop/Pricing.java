// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.shop;

/**
 * A service in good health with a slow tail: one answer in ten takes a quarter of a second or much
 * more.
 */
final class Pricing implements Responder {

  private static final double SLOW = 0.1;

  private final Dice dice;

  Pricing(long seed) {
    dice = new Dice(seed);
  }

  @Override
  public Reply respond(String sku) {
    if (!Assortment.has(sku)) {
      return Reply.unknown(sku);
    }
    long afterMillis = dice.happens(SLOW) ? dice.millis(250, 750) : dice.millis(4, 16);
    return Reply.ok(Long.toString(Assortment.cents(sku)), afterMillis);
  }
}
