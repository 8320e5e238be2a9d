// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.report;

import static dev.tenrec.metrics.event.EventType.BAD_REQUEST;
import static dev.tenrec.metrics.event.EventType.CANCELLED;
import static dev.tenrec.metrics.event.EventType.EXCEPTION_THROWN;
import static dev.tenrec.metrics.event.EventType.FAILURE;
import static dev.tenrec.metrics.event.EventType.FALLBACK_SUCCESS;
import static dev.tenrec.metrics.event.EventType.SEMAPHORE_REJECTED;
import static dev.tenrec.metrics.event.EventType.SHORT_CIRCUITED;
import static dev.tenrec.metrics.event.EventType.SUCCESS;
import static dev.tenrec.metrics.event.EventType.THREAD_POOL_REJECTED;
import static dev.tenrec.metrics.event.EventType.TIMEOUT;

import dev.tenrec.core.Tenrec;
import dev.tenrec.examples.storefront.command.WatchedCommand;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.latency.LatencySnapshot;
import dev.tenrec.metrics.view.CommandView;
import dev.tenrec.metrics.view.PoolView;
import java.io.PrintStream;
import java.util.List;

/**
 * What Tenrec's views show, once a second: the counts are those since the line before, so that a
 * change shows at once. Used by one thread.
 */
public final class LiveTable {

  private static final String HEADS =
      " calls success  failed time-out rejected short-c. bad-req. cancel | fallback   p50 ms  p99 ms  circuit    in use";

  private final Tenrec tenrec;
  private final News news;
  private final PrintStream out;
  private final List<Row> rows;

  /**
   * A table without lines.
   *
   * @param tenrec whose pools it shows
   * @param commands in the order of their lines
   * @param news what is printed between the lines
   */
  public LiveTable(Tenrec tenrec, List<WatchedCommand> commands, News news, PrintStream out) {
    this.tenrec = tenrec;
    this.news = news;
    this.out = out;
    this.rows = commands.stream().map(Row::new).toList();
  }

  /** Prints the lines of one moment. */
  public void print(long nowNanos) {
    out.println();
    news.takeAll().forEach(text -> out.println("  >> " + text));
    out.println(new Columns().name(Columns.seconds(nowNanos)) + HEADS);
    rows.forEach(row -> out.println(row.next()));
    out.flush();
  }

  /** One command's line. */
  private final class Row {

    private final WatchedCommand command;
    private final long[] before = new long[EventType.COUNT];

    Row(WatchedCommand command) {
      this.command = command;
    }

    String next() {
      CommandView view = command.view();
      LatencySnapshot latency = view.callerLatency();
      long success = since(SUCCESS);
      long fallback = since(FALLBACK_SUCCESS);
      long cancelled = since(CANCELLED);
      return new Columns()
          .name(view.key())
          .cell(5, success + fallback + cancelled + since(EXCEPTION_THROWN))
          .cell(7, success)
          .cell(7, since(FAILURE))
          .cell(8, since(TIMEOUT))
          .cell(8, since(THREAD_POOL_REJECTED) + since(SEMAPHORE_REJECTED))
          .cell(8, since(SHORT_CIRCUITED))
          .cell(8, since(BAD_REQUEST))
          .cell(6, cancelled)
          .cell(10, fallback)
          .millis(8, latency.valueAtPercentile(50) / 1e6)
          .millis(7, latency.valueAtPercentile(99) / 1e6)
          .rest(String.format("%-9s  %s", view.circuitState(), inUse(view)));
    }

    private long since(EventType event) {
      long now = command.view().cumulativeCount(event);
      long more = now - before[event.ordinal()];
      before[event.ordinal()] = now;
      return more;
    }
  }

  private String inUse(CommandView view) {
    for (PoolView pool : tenrec.pools()) {
      if (pool.key().equals(view.threadPoolKey())) {
        return "threads: "
            + pool.active()
            + " of "
            + pool.maximumSize()
            + ", most "
            + pool.rollingMaxActive();
      }
    }
    return "permits: " + view.concurrency() + ", most " + view.rollingMaxConcurrency();
  }
}
