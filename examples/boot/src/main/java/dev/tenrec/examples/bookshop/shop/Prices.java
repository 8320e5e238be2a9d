// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop.shop;

import dev.tenrec.annotations.Command;
import java.io.IOException;
import org.springframework.stereotype.Service;

/** What books cost today. Waits for the answer, on a thread of the pool {@code Prices}. */
@Service
public class Prices {

  private static final int LIST_PRICE_CENTS = 999;

  private final PublisherClient publisher;

  Prices(PublisherClient publisher) {
    this.publisher = publisher;
  }

  /** Today's, or the list price. */
  @Command(fallbackMethod = "listPrice", timeout = "${bookshop.price-timeout:1s}")
  public Book.Price price(int book) throws IOException, InterruptedException {
    return new Book.Price(Integer.parseInt(publisher.get("price/" + book)), false);
  }

  Book.Price listPrice(int book) {
    return new Book.Price(LIST_PRICE_CENTS, true);
  }
}
