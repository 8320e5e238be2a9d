// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop;

import dev.tenrec.examples.bookshop.shop.Book;
import java.util.List;

/**
 * What visitors saw of a part of the run.
 *
 * @param part {@code before} the change, {@code between}, {@code after}
 * @param all each visit
 */
record Visits(String part, List<Visit> all) {

  /**
   * One shelf looked at.
   *
   * @param part in which part of the run it began
   * @param nanos how long it took
   * @param books what was on it; none if the shop did not answer as it should
   */
  record Visit(String part, long nanos, List<Book> books) {

    long listPrices() {
      return books.stream().filter(book -> book.price().isListed()).count();
    }

    private long slow(boolean listed) {
      return books.stream()
          .filter(book -> Publisher.isSlow(book.number()) && book.price().isListed() == listed)
          .count();
    }
  }

  long books() {
    return all.stream().mapToLong(visit -> visit.books().size()).sum();
  }

  long listPrices() {
    return all.stream().mapToLong(Visit::listPrices).sum();
  }

  /** Books whose price is slow to come, shown at it: the shop has waited for it. */
  long slowPrices() {
    return all.stream().mapToLong(visit -> visit.slow(false)).sum();
  }

  /** Books whose price is slow to come, shown at the list price: the shop has not waited. */
  long slowListPrices() {
    return all.stream().mapToLong(visit -> visit.slow(true)).sum();
  }

  long unanswered() {
    return all.stream().filter(visit -> visit.books().isEmpty()).count();
  }

  double fastestMillis() {
    return all.stream().mapToLong(Visit::nanos).min().orElse(0) / 1e6;
  }

  double meanMillis() {
    return all.stream().mapToLong(Visit::nanos).average().orElse(0) / 1e6;
  }

  double slowestMillis() {
    return all.stream().mapToLong(Visit::nanos).max().orElse(0) / 1e6;
  }
}
