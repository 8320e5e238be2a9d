// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.shop;

/** A service in good health: quick, and always there. */
final class Catalog implements Responder {

  private final Dice dice;

  Catalog(long seed) {
    dice = new Dice(seed);
  }

  @Override
  public Reply respond(String sku) {
    return Assortment.has(sku)
        ? Reply.ok(Assortment.name(sku), dice.millis(2, 10))
        : Reply.unknown(sku);
  }
}
