// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.shop;

/**
 * What a service answers; the HTTP around it is {@link HttpService}. Called by several threads at
 * once.
 */
@FunctionalInterface
interface Responder {

  /**
   * Answers one request.
   *
   * @param sku the last part of the request's path
   */
  Reply respond(String sku);
}
