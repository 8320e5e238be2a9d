// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop.shop;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Shows a shelf. */
@RestController
class ShelfController {

  private static final int BOOKS = 5;

  private final Prices prices;
  private final Reviews reviews;
  private final Stock stock;

  ShelfController(Prices prices, Reviews reviews, Stock stock) {
    this.prices = prices;
    this.reviews = reviews;
    this.stock = stock;
  }

  /** Shelf 0 has the books 1 to 5, and so on. */
  @GetMapping("/shelves/{number}")
  List<Book> shelf(@PathVariable("number") int number) throws IOException, InterruptedException {
    List<Integer> books =
        IntStream.rangeClosed(number * BOOKS + 1, number * BOOKS + BOOKS).boxed().toList();
    List<CompletableFuture<Integer>> left = books.stream().map(stock::left).toList();
    List<CompletableFuture<Integer>> stars = books.stream().map(reviews::stars).toList();
    List<Book> shelf = new ArrayList<>();
    for (int i = 0; i < BOOKS; i++) {
      Book.Price price = prices.price(books.get(i));
      shelf.add(new Book(books.get(i), price, stars.get(i).join(), left.get(i).join()));
    }
    return shelf;
  }
}
