// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Three accounts of the same run: the visitors', Tenrec's and the publisher's.
 *
 * @param before visits before the time-out was lowered
 * @param between visits while nobody could say
 * @param after visits with the lower one
 * @param counts what Tenrec counted
 * @param asked what the publisher was asked
 * @param left what was there when all was closed
 */
record Account(
    Visits before,
    Visits between,
    Visits after,
    Counts counts,
    Publisher.Asked asked,
    LeakCheck left) {

  /** The visit before the others, which loads classes. */
  private static final long FIRST_BOOKS = 5;

  private long books() {
    return FIRST_BOOKS + before.books() + between.books() + after.books();
  }

  private long listPrices() {
    return before.listPrices() + between.listPrices() + after.listPrices();
  }

  /** What has to be so, and whether it is. */
  Map<String, Boolean> checks() {
    Counts.Of prices = counts.prices();
    Map<String, Boolean> checks = new LinkedHashMap<>();
    checks.put(
        "every visit was answered",
        Stream.of(before, between, after).allMatch(part -> part.unanswered() == 0));
    checks.put("every book shown is a call of the prices", prices.calls() == books());
    checks.put("every book shown is a call of the reviews", counts.stars().calls() == books());
    checks.put("every book shown is a member of a batch", counts.members() == books());
    checks.put(
        "every price that did not come is a list price shown",
        prices.fallbacks() == prices.timeouts() + prices.others()
            && (prices.fallbacks() == listPrices() || prices.fallbacks() == listPrices() + 1));
    checks.put(
        "the publisher was asked for every price Tenrec says came",
        asked.prices() >= prices.successes() && asked.prices() <= prices.calls());
    checks.put(
        "the publisher was asked for every review Tenrec says was begun",
        asked.stars() >= counts.stars().successes() && asked.stars() <= counts.stars().calls());
    checks.put(
        "a batch is one request for several books",
        asked.stockRequests() <= counts.batches().calls() && asked.stockRequests() < books());
    checks.put(
        "the shop waited for the slow price, and with the lower time-out no longer",
        changeShows(before, after));
    checks.put("no thread of Tenrec's is left", left.threads().isEmpty());
    checks.put("nobody answers at the shop's port", !left.listening());
    return checks;
  }

  /**
   * Whether the change of the time-out has had its effect on the visits that came after it. Said by
   * what they saw, not by how long they took: a busy machine makes a fast visit slow.
   */
  static boolean changeShows(Visits before, Visits after) {
    return before.slowPrices() > 0
        && after.slowListPrices() > before.slowListPrices()
        && after.slowListPrices() > after.slowPrices();
  }

  boolean holds() {
    return !checks().containsValue(false);
  }
}
