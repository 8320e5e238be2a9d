// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookmarks;

import java.io.PrintStream;
import java.util.Locale;

/** The account as a page, for people. */
final class Report {

  private Report() {}

  static void print(Account account, PrintStream out) {
    Page page = account.page();
    out.printf(
        Locale.ROOT,
        "One page: %d bookmarks in %d lists, %d of them different, and who keeps each%n%n",
        page.bookmarks(),
        page.sections().size(),
        page.different());
    out.printf("%-24s %7s %9s %11s %14s%n", "", "calls", "batches", "cache hits", "HTTP requests");
    print("one by one", account.oneByOne(), out);
    print("batched and remembered", account.batched(), out);
    out.println("Request log of the second reading");
    out.println("  " + account.batched().log());
    out.println();
    out.println("Accounting");
    account
        .checks()
        .forEach((text, held) -> out.println((held ? "  ok     " : "  WRONG  ") + text));
    out.flush();
  }

  private static void print(String title, Reading reading, PrintStream out) {
    Library.Asked asked = reading.asked();
    out.printf(Locale.ROOT, "%s, in %.0f ms%n", title, reading.nanos() / 1e6);
    Reading.Bookmarks bookmarks = reading.bookmarks();
    row(
        "  bookmarks",
        out,
        bookmarks.calls(),
        bookmarks.batches(),
        bookmarks.hits(),
        asked.bookmarks() + asked.batches());
    Reading.Users users = reading.users();
    row("  users", out, users.calls(), 0, users.hits(), asked.users());
    out.println();
  }

  private static void row(
      String name, PrintStream out, long calls, long batches, long hits, long requests) {
    out.printf(Locale.ROOT, "%-24s %7d %9d %11d %14d%n", name, calls, batches, hits, requests);
  }
}
