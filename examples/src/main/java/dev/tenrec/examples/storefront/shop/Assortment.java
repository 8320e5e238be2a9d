// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.shop;

import java.util.List;

/** What the shop sells. */
public final class Assortment {

  /** Looks like a product, but nobody sells it: what a shopper mistypes. */
  public static final String UNKNOWN_SKU = "sku-0000";

  private static final List<String> NAMES =
      List.of("kettle", "teapot", "mug", "tray", "spoon", "strainer", "tin", "cosy");

  private Assortment() {}

  /** How many products there are. */
  public static int size() {
    return NAMES.size();
  }

  /** The stock-keeping unit of product {@code index}, from 0. */
  public static String sku(int index) {
    return "sku-" + (1001 + index);
  }

  static boolean has(String sku) {
    return indexOf(sku) >= 0;
  }

  static String name(String sku) {
    return NAMES.get(indexOf(sku));
  }

  static long cents(String sku) {
    return 499 + 250L * indexOf(sku);
  }

  private static int indexOf(String sku) {
    for (int index = 0; index < NAMES.size(); index++) {
      if (sku(index).equals(sku)) {
        return index;
      }
    }
    return -1;
  }
}
