// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop.shop;

/**
 * A book as it stands on a shelf.
 *
 * @param number which one
 * @param price what it costs
 * @param stars what readers think; 0 if nobody could say
 * @param left how many there are; -1 if nobody could say
 */
public record Book(int number, Price price, int stars, int left) {

  /**
   * What it costs.
   *
   * @param cents so much
   * @param isListed whether it is the list price, because the one of today was not to be had
   */
  public record Price(int cents, boolean isListed) {}
}
