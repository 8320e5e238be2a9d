// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.command;

import dev.tenrec.core.Command;
import dev.tenrec.core.Guard;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.view.CommandView;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The storefront's calls, each isolated in the way that suits it. What an operator may want to
 * change (time-outs, windows, sizes) is in {@link SettingsFile}.
 */
public final class Calls {

  /** The keys of the commands: their names in settings, messages and metrics. */
  public static final String GET_PRODUCT = "GetProduct";

  public static final String GET_PRICE = "GetPrice";
  public static final String GET_REVIEWS = "GetReviews";
  public static final String POST_REVIEW = "PostReview";
  private static final int PRODUCT_THREADS = 10;
  private static final int PRICE_PERMITS = 6;
  private static final int REVIEW_PERMITS = 20;
  private static final boolean HAS_VIRTUAL_THREADS = Runtime.version().feature() >= 21;

  private final ShopClient client;
  private final Command<String, Product> getProduct;
  private final Command<String, Price> getPrice;
  private final Command<String, Reviews> getReviews;
  private final Guard postReview;
  private final long builtNanos;

  /**
   * Builds the commands, once.
   *
   * @param tenrec what they belong to; closed by its creator
   * @param client does the HTTP; closed by its creator
   * @param clock gives the time of building
   */
  public Calls(Tenrec tenrec, ShopClient client, Ticker clock) {
    this.client = client;
    builtNanos = clock.nanoTime();

    // Blocking work, on a pool of threads. Without a product there is no page, so there is no
    // fallback.
    getProduct =
        tenrec
            .command(GET_PRODUCT, (String sku) -> client.product(sku))
            .group("Catalog")
            .isolation(Isolation.threadPool().coreSize(PRODUCT_THREADS))
            .build();

    // Asynchronous work: it needs no thread while it waits, so a semaphore is all there has to be.
    // A made-up price would be worse than none.
    getPrice =
        tenrec
            .asyncCommand(GET_PRICE, (String sku, Call call) -> startPrice(sku, call))
            .group("Pricing")
            .isolation(Isolation.semaphore(PRICE_PERMITS))
            .build();

    // Blocking work, on virtual threads where there are any. A page without reviews is still a
    // page.
    getReviews =
        tenrec
            .command(GET_REVIEWS, (String sku) -> client.reviews(sku))
            .group("Reviews")
            .isolation(forReviews())
            .fallback((sku, cause) -> Reviews.unavailable(sku))
            .errorThreshold(50, 10)
            .build();

    // A guard takes its work with each call. No caller may learn that a review was stored when it
    // was not: no fallback.
    postReview =
        tenrec
            .guard(POST_REVIEW)
            .group("Reviews")
            .isolation(forReviews())
            .errorThreshold(50, 3)
            .build();
  }

  /**
   * Where the price's work begins. When it is given up, the exchange is broken off, and so the
   * permit is free again.
   */
  private CompletionStage<Price> startPrice(String sku, Call call) {
    CompletableFuture<HttpResponse<String>> exchange = client.askPrice(sku);
    call.onCancel(() -> exchange.cancel(true));
    return exchange.thenApply(answer -> client.price(sku, answer));
  }

  private static Isolation forReviews() {
    return HAS_VIRTUAL_THREADS
        ? Isolation.virtualThreads(REVIEW_PERMITS)
        : Isolation.threadPool().coreSize(REVIEW_PERMITS);
  }

  /**
   * Knows a product by its sku; a {@link dev.tenrec.core.outcome.BadRequestException} if there is
   * no such thing.
   */
  public Command<String, Product> getProduct() {
    return getProduct;
  }

  /** Knows the price of a sku. */
  public Command<String, Price> getPrice() {
    return getPrice;
  }

  /** Knows the reviews of a sku; none, if they are not to be had. */
  public Command<String, Reviews> getReviews() {
    return getReviews;
  }

  /** Stores a review and returns the outcome. */
  public Outcome<String> postReview(String sku, String text) {
    return postReview.attempt(() -> client.postReview(sku, text));
  }

  /** All commands, for the display. */
  public List<WatchedCommand> watched() {
    String reviewThreads =
        HAS_VIRTUAL_THREADS
            ? "virtual threads, at most " + REVIEW_PERMITS
            : "a second thread pool, of "
                + REVIEW_PERMITS
                + " (Java "
                + Runtime.version().feature()
                + " has no virtual threads)";
    return List.of(
        watched("thread pool of " + PRODUCT_THREADS, getProduct.view(), getProduct::transitions),
        watched(
            "semaphore of " + PRICE_PERMITS + " around asynchronous work",
            getPrice.view(),
            getPrice::transitions),
        watched(reviewThreads, getReviews.view(), getReviews::transitions),
        watched(reviewThreads, postReview.view(), postReview::transitions));
  }

  private WatchedCommand watched(
      String isolation, CommandView view, Supplier<List<Transition>> journal) {
    return new WatchedCommand(isolation, view, journal, builtNanos);
  }
}
