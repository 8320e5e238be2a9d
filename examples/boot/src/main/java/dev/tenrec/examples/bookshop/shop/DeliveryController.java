// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop.shop;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Says when a book would be there. */
@RestController
class DeliveryController {

  private final Delivery delivery;

  DeliveryController(Delivery delivery) {
    this.delivery = delivery;
  }

  @GetMapping("/delivery/{book}")
  int delivery(@PathVariable("book") int book) {
    return delivery.days(book);
  }
}
