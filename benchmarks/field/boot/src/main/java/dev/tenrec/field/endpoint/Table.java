// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

import dev.tenrec.field.kit.Columns;
import dev.tenrec.field.load.Latency;
import dev.tenrec.field.load.ResultColumns;
import org.jspecify.annotations.Nullable;

/** The tables in Markdown. */
final class Table {

  static final Columns<Run> RUNS =
      new Columns<Run>()
          .add("configuration", run -> run.configuration().title())
          .add("load", run -> run.result().plan().arrivals().label())
          .addAll(
              Run::result, ResultColumns.USERS_THERE, ResultColumns.SENT, ResultColumns.ANSWERED)
          .add("of these by fallback", Run::degraded)
          .addAll(Run::result, ResultColumns.FAILED, ResultColumns.REFUSED)
          .add("never sent", run -> run.result().counts().dropped())
          .add("answers/s", "%.1f", run -> run.result().perSecond())
          .addAll(
              run -> run.result().sinceIntended(),
              Latency.mean(1),
              Latency.percentiles(1, 99, 99.5, 100))
          .addAll(Run::result, ResultColumns.LAG)
          .add("dependency busy %", "%.0f", run -> 100 * run.busyShare())
          .add("timed out", run -> run.counted("TIMEOUT"))
          .add("short-circuited", run -> run.counted("SHORT_CIRCUITED"))
          .add("pool full", run -> run.counted("THREAD_POOL_REJECTED"))
          .add("CPU ms/answer", "%.2f", Run::processorMillisPerAnswer);

  static final Columns<LivePhase> PHASES =
      new Columns<LivePhase>()
          .add("in force", LivePhase::title)
          .add("said by", LivePhase::source)
          .add("known after ms", "%.1f", phase -> number(phase.knownMillis()))
          .add("felt after ms", "%.1f", phase -> number(phase.feltMillis()))
          .add("core", LivePhase::coreSize)
          .add("most threads at work", LivePhase::mostActive)
          .add("the dependency's answers/s", "%.1f", phase -> phase.pace().perSecond())
          .add("mean ms", "%.1f", phase -> phase.pace().meanMillis());

  static final Columns<Ratios.Row> RATIOS =
      new Columns<Ratios.Row>()
          .add(
              "configuration, users",
              "%s, %d / %d",
              row -> row.original().configuration().title(),
              row -> row.original().users(),
              row -> row.original().users() / Original.SCALE)
          .add("answers/s: original", "%.2f", row -> row.original().perSecondRatio())
          .add("ours", "%.2f", Ratios.Row::perSecond)
          .add("ours, without the fallback's", "%.2f", Ratios.Row::fullPerSecond)
          .add("mean: original", "%.2f", row -> row.original().meanRatio())
          .add("ours", "%.2f", Ratios.Row::mean)
          .add("max / mean: original", "%.0f", row -> row.original().maxToMean())
          .add("ours", "%.0f", Ratios.Row::maxToMean)
          .add("errors %: original", "%.2f", row -> row.original().errorPercent())
          .add("ours", "%.2f", row -> row.ours().errorPercent())
          .add("answered by fallback %, ours", "%.2f", row -> row.ours().degradedPercent());

  private Table() {}

  /** Null for a time that there is not. */
  static @Nullable Double number(double value) {
    return Double.isNaN(value) ? null : value;
  }
}
