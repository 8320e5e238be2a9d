// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.reading;

import dev.tenrec.core.view.CollapserDetails;
import dev.tenrec.core.view.PoolDetails;
import dev.tenrec.core.view.RateLimiterDetails;
import dev.tenrec.core.view.RetryBudgetDetails;
import dev.tenrec.core.view.SemaphoreDetails;
import dev.tenrec.metrics.latency.SizeSnapshot;
import dev.tenrec.metrics.view.PoolSnapshot;
import dev.tenrec.metrics.view.PoolView;
import java.util.function.Function;

/** The rows of what is shared by commands, or stands before them. */
final class Kinds {

  private Kinds() {}

  /** Active, threads, core, maximum, queued, bound of the queue (-1 is none), rejected. */
  static Table<PoolDetails> pools() {
    return table(
        "pools",
        PoolDetails::key,
        view -> {
          PoolSnapshot now = view.snapshot();
          int queue = now.queueCapacity() == PoolView.UNBOUNDED ? -1 : now.queueCapacity();
          return now.active()
              + ","
              + now.threads()
              + ","
              + now.coreSize()
              + ","
              + now.maximumSize()
              + ","
              + now.queued()
              + ","
              + queue
              + ","
              + now.cumulativeRejected();
        });
  }

  /** In use, limit. */
  static Table<SemaphoreDetails> semaphores() {
    return table("semaphores", SemaphoreDetails::name, view -> view.inUse() + "," + view.limit());
  }

  /** Available, keys. */
  static Table<RateLimiterDetails> rateLimiters() {
    return table(
        "limiters", RateLimiterDetails::name, view -> view.available() + "," + view.keys());
  }

  /** Drawn in the last ten seconds, how many may be, and how many commands share it. */
  static Table<RetryBudgetDetails> retryBudgets() {
    return table(
        "budgets",
        RetryBudgetDetails::name,
        view -> {
          int spent = view.spent();
          return spent + "," + ((long) spent + view.available()) + "," + view.commands().size();
        });
  }

  /** Batches, members and cache hits so far; mean size in hundredths, and the greatest. */
  static Table<CollapserDetails> collapsers() {
    return table(
        "collapsers",
        CollapserDetails::key,
        view -> {
          SizeSnapshot sizes = view.batchSize();
          return view.cumulativeBatches()
              + ","
              + view.cumulativeMembers()
              + ","
              + view.cumulativeCacheHits()
              + ","
              + Math.round(sizes.mean() * 100)
              + ","
              + sizes.max();
        });
  }

  private static <V> Table<V> table(
      String kind, Function<V, String> keyOf, Function<V, String> figures) {
    return new Table<>(
        kind,
        keyOf,
        new Table.Figures<>() {
          @Override
          public String name(int id, V view) {
            return Json.of(
                json -> {
                  json.writeStartArray();
                  json.writeNumber(id);
                  json.writeString(Json.cut(keyOf.apply(view), CommandFigures.LONGEST_NAME));
                  json.writeEndArray();
                });
          }

          @Override
          public String now(int id, V view) {
            return "[" + id + "," + figures.apply(view) + "]";
          }
        });
  }
}
