// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop.shop;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandProperty;
import java.util.concurrent.CompletableFuture;
import org.springframework.stereotype.Service;

/** What readers think. Nobody waits: the answer comes when it is there. */
@Service
public class Reviews {

  private final PublisherClient publisher;

  Reviews(PublisherClient publisher) {
    this.publisher = publisher;
  }

  /** So many stars. */
  @Command(
      fallbackMethod = "unrated",
      commandProperties =
          @CommandProperty(
              name = "execution.isolation.semaphore.maxConcurrentRequests",
              value = "${bookshop.reviews-at-once:50}"))
  public CompletableFuture<Integer> stars(int book) {
    return publisher.getLater("stars/" + book).thenApply(Integer::valueOf);
  }

  int unrated(int book) {
    return 0;
  }
}
