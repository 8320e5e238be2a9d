// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.shop;

/**
 * One answer of a service.
 *
 * @param status the HTTP status
 * @param body as text
 * @param afterMillis how long the service takes for it
 */
record Reply(int status, String body, long afterMillis) {

  static Reply ok(String body, long afterMillis) {
    return new Reply(200, body, afterMillis);
  }

  static Reply unknown(String sku) {
    return new Reply(404, "no product " + sku, 1);
  }
}
