// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop;

import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CollapserView;
import dev.tenrec.metrics.view.CommandView;

/**
 * What Tenrec counted.
 *
 * @param prices of the prices
 * @param stars of the reviews
 * @param batches of the stock
 * @param members questions for the stock that became part of a batch
 */
record Counts(Of prices, Of stars, Of batches, long members) {

  /** The calls of one command, by how they ended. */
  record Of(long successes, long timeouts, long others, long fallbacks) {

    long calls() {
      return successes + timeouts + others;
    }

    private static Of command(CommandView view) {
      return new Of(
          view.cumulativeCount(EventType.SUCCESS),
          view.cumulativeCount(EventType.TIMEOUT),
          view.cumulativeCount(EventType.FAILURE)
              + view.cumulativeCount(EventType.SHORT_CIRCUITED)
              + view.cumulativeCount(EventType.THREAD_POOL_REJECTED)
              + view.cumulativeCount(EventType.SEMAPHORE_REJECTED),
          view.cumulativeCount(EventType.FALLBACK_SUCCESS));
    }
  }

  /** Reads them; nobody calls any more. */
  static Counts of(Tenrec tenrec) {
    return new Counts(
        Of.command(view(tenrec, "Prices.price")),
        Of.command(view(tenrec, "Reviews.stars")),
        Of.command(view(tenrec, "Stock.leftOfAll")),
        tenrec.collapsers().stream().mapToLong(CollapserView::cumulativeMembers).sum());
  }

  private static CommandView view(Tenrec tenrec, String key) {
    return tenrec.commands().stream()
        .filter(view -> view.key().equals(key))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no command has the key " + key));
  }
}
