// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.shop;

/** A service that is quick while it lives; see {@link HttpService#die}. */
final class Reviews implements Responder {

  private final Dice dice;

  Reviews(long seed) {
    dice = new Dice(seed);
  }

  @Override
  public Reply respond(String sku) {
    return Assortment.has(sku)
        ? Reply.ok("I would buy this " + Assortment.name(sku) + " again.", dice.millis(5, 25))
        : Reply.unknown(sku);
  }
}
