// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.load;

import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.examples.storefront.command.Calls;
import dev.tenrec.examples.storefront.command.Price;
import dev.tenrec.examples.storefront.command.Reviews;
import dev.tenrec.examples.storefront.shop.Assortment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One shopper looks at one page: price and reviews are asked for at the same time, and the product
 * meanwhile. Runs on a thread of its own, as a request of a web server does.
 */
final class Visit implements Runnable {

  private static final int IMPATIENT_MILLIS = 350;

  private final Calls calls;
  private final CallLog log;
  private final int number;

  /**
   * A visit.
   *
   * @param number counts the visits, and decides which shopper it is
   */
  Visit(Calls calls, CallLog log, int number) {
    this.calls = calls;
    this.log = log;
    this.number = number;
  }

  @Override
  public void run() {
    String sku = mistypes() ? Assortment.UNKNOWN_SKU : Assortment.sku(number % Assortment.size());
    CompletableFuture<Price> price =
        log.async(
            Calls.GET_PRICE, () -> calls.getPrice().executeAsync(sku), value -> Ending.SUCCESS);
    CompletableFuture<Reviews> unused = // no thread waits: the log shows it
        log.async(
            Calls.GET_REVIEWS,
            () -> calls.getReviews().executeAsync(sku),
            value -> value.available() ? Ending.SUCCESS : Ending.FALLBACK);
    log.waiting(Calls.GET_PRODUCT, () -> calls.getProduct().execute(sku), value -> Ending.SUCCESS);
    if (isImpatient()) {
      waitABit(price);
    }
    if (writesReview()) {
      log.waiting(
          Calls.POST_REVIEW,
          () -> calls.postReview(sku, "Review " + number + " of " + sku),
          Visit::endingOf);
    }
  }

  private static void waitABit(CompletableFuture<Price> price) {
    try {
      price.get(IMPATIENT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException tooLong) {
      price.cancel(true);
    } catch (ExecutionException noPrice) {
      // noted already
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Ending endingOf(Outcome<String> outcome) {
    Throwable error = outcome.error();
    return error == null ? Ending.SUCCESS : Ending.of(error);
  }

  private boolean mistypes() {
    return number % 50 == 17;
  }

  private boolean isImpatient() {
    return number % 4 == 1;
  }

  private boolean writesReview() {
    return number % 8 == 3 && !mistypes();
  }
}
