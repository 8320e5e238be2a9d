// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** The account as a page, for people. */
final class Report {

  private Report() {}

  static void print(Account account, PrintStream out) {
    out.printf(
        "The price of every fifth book takes %d ms. Halfway the watched file says%n  %s=100%n%n",
        Publisher.SLOW_MILLIS, Bookshop.PRICE_TIMEOUT);
    out.printf(
        "%-8s %7s %7s %12s %11s %9s %12s%n",
        "visits", "shelves", "books", "list prices", "fastest ms", "mean ms", "slowest ms");
    for (Visits part : List.of(account.before(), account.between(), account.after())) {
      out.printf(
          Locale.ROOT,
          "%-8s %7d %7d %12d %11.1f %9.1f %12.1f%n",
          part.part(),
          part.all().size(),
          part.books(),
          part.listPrices(),
          part.fastestMillis(),
          part.meanMillis(),
          part.slowestMillis());
    }
    out.printf(
        "%n%-16s %9s %9s %9s %9s %10s%n",
        "commands", "calls", "success", "time-out", "other", "fallback");
    row("Prices.price", account.counts().prices(), out);
    row("Reviews.stars", account.counts().stars(), out);
    row("Stock.leftOfAll", account.counts().batches(), out);
    out.printf(
        "%nThe publisher was asked %d times for a price, %d for stars, %d for the stock of %d books%n%n",
        account.asked().prices(),
        account.asked().stars(),
        account.asked().stockRequests(),
        account.asked().stockBooks());
    out.println("Accounting");
    account
        .checks()
        .forEach((text, held) -> out.println((held ? "  ok     " : "  WRONG  ") + text));
    account.left().threads().forEach(name -> out.println("  left: " + name));
    out.flush();
  }

  private static void row(String key, Counts.Of of, PrintStream out) {
    out.printf(
        "%-16s %9d %9d %9d %9d %10d%n",
        key, of.calls(), of.successes(), of.timeouts(), of.others(), of.fallbacks());
  }
}
