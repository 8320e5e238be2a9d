// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop.shop;

import dev.tenrec.annotations.Collapsed;
import dev.tenrec.annotations.Command;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;

/** How many there are. The questions of one web request become one. */
@Service
public class Stock {

  private final PublisherClient publisher;

  Stock(PublisherClient publisher) {
    this.publisher = publisher;
  }

  /** Of one book. */
  @Collapsed(batchMethod = "leftOfAll")
  public CompletableFuture<Integer> left(int book) {
    throw new IllegalStateException("the batch method answers");
  }

  /** Of all these. */
  @Command(fallbackMethod = "unknown")
  Map<Integer, Integer> leftOfAll(List<Integer> books) throws IOException, InterruptedException {
    String commas = books.stream().map(String::valueOf).collect(Collectors.joining(","));
    String[] answers = publisher.get("stock/" + commas).split(",", -1);
    Map<Integer, Integer> left = new HashMap<>();
    for (int i = 0; i < answers.length; i++) {
      left.put(books.get(i), Integer.valueOf(answers[i]));
    }
    return left;
  }

  Map<Integer, Integer> unknown(List<Integer> books) {
    return books.stream().collect(Collectors.toMap(book -> book, book -> -1));
  }
}
