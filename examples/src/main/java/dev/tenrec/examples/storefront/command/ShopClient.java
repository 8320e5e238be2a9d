// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.command;

import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.examples.storefront.shop.Assortment;
import dev.tenrec.examples.storefront.shop.HttpService;
import dev.tenrec.examples.storefront.shop.Shop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Plain HTTP to the three services, as one would write it without Tenrec. No time-outs here: the
 * commands have them.
 */
public final class ShopClient implements AutoCloseable {

  private static final int NOT_FOUND = 404;
  private static final int OK = 200;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Shop shop;

  /** A client of these services. */
  public ShopClient(Shop shop) {
    this.shop = shop;
  }

  /**
   * Asks each service once, to see that it is there; also loads what the JVM needs for it, which
   * would look like a slow service.
   */
  public void greet() throws IOException, InterruptedException {
    String sku = Assortment.sku(0);
    Product product = product(sku);
    Price price = price(sku, http.send(get(shop.pricing(), sku), BodyHandlers.ofString()));
    Reviews reviews = reviews(sku);
    if (price.cents() <= 0 || product.name().isEmpty() || reviews.texts().isEmpty()) {
      throw new IOException(
          "a service gave an empty answer: " + product + ", " + price + ", " + reviews);
    }
  }

  Product product(String sku) throws IOException, InterruptedException {
    return new Product(sku, body(http.send(get(shop.catalog(), sku), BodyHandlers.ofString())));
  }

  /** Cancelling the future breaks the exchange off. */
  CompletableFuture<HttpResponse<String>> askPrice(String sku) {
    return http.sendAsync(get(shop.pricing(), sku), BodyHandlers.ofString());
  }

  Price price(String sku, HttpResponse<String> answer) {
    return new Price(sku, Long.parseLong(body(answer)));
  }

  Reviews reviews(String sku) throws IOException, InterruptedException {
    String text = body(http.send(get(shop.reviews(), sku), BodyHandlers.ofString()));
    return new Reviews(sku, List.of(text), true);
  }

  String postReview(String sku, String text) throws IOException, InterruptedException {
    HttpRequest post = request(shop.reviews(), sku).POST(BodyPublishers.ofString(text)).build();
    return body(http.send(post, BodyHandlers.ofString()));
  }

  private static HttpRequest get(HttpService service, String sku) {
    return request(service, sku).GET().build();
  }

  private static HttpRequest.Builder request(HttpService service, String sku) {
    URI uri = service.uri().resolve(sku);
    return HttpRequest.newBuilder(uri);
  }

  /**
   * What the caller asked wrongly says nothing against the service, so it must not look like a
   * failure.
   */
  private static String body(HttpResponse<String> answer) {
    if (answer.statusCode() == NOT_FOUND) {
      throw new BadRequestException(answer.body());
    }
    if (answer.statusCode() != OK) {
      throw new UncheckedIOException(
          new IOException(answer.uri() + " answered " + answer.statusCode() + ", expected 200"));
    }
    return answer.body();
  }

  /**
   * An HttpClient can be closed from Java 21 on; before that, its threads end when nobody has it
   * any more.
   */
  @Override
  public void close() throws Exception {
    if (http instanceof AutoCloseable closeable) {
      closeable.close();
    }
  }
}
