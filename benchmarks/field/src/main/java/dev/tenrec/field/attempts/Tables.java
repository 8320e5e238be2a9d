// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.attempts;

import dev.tenrec.field.kit.Columns;
import dev.tenrec.field.load.Latency;
import dev.tenrec.field.load.ResultColumns;
import java.util.Locale;

/** The Markdown tables, so that they can be shown as they were printed. */
final class Tables {

  /** One service of a run. */
  record Piece(ChainRun run, ChainRun.Work work) {}

  static final Columns<TailRun> TAIL =
      new Columns<TailRun>()
          .add("command", TailRun::label)
          .addAll(TailRun::result, ResultColumns.SENT, ResultColumns.ANSWERED, ResultColumns.FAILED)
          .addAll(
              run -> run.result().sinceIntended(), Latency.percentiles(1, 50, 95, 99, 99.9, 100))
          .add("calls out to the service", TailRun::attempts)
          .add("for each call", "%.3f", TailRun::attemptsForEachCall)
          .add("by the budget at most", TailRun::most)
          .add("first attempt slow", TailRun::firstSlow)
          .add("answered by a slow one", TailRun::slowAnswers)
          .add("all attempts slow", TailRun::allSlow)
          .add("hedges", TailRun::hedges)
          .add("refused", TailRun::refused)
          .add("outrun", TailRun::outrun)
          .addAll(TailRun::result, ResultColumns.LAG);

  static final Columns<ChainRun> CHAIN =
      new Columns<ChainRun>()
          .add("calls have", ChainRun::label)
          .addAll(ChainRun::result, ResultColumns.SENT, ResultColumns.ANSWERED)
          .add("answered %", "%.1f", run -> 100 * run.answeredShare())
          .addAll(ChainRun::result, ResultColumns.REFUSED, ResultColumns.FAILED)
          .addAll(run -> run.result().sinceIntended(), Latency.percentiles(1, 50, 99))
          .add("work begun", ChainRun::begun)
          .add("after nobody waited", ChainRun::late)
          .add("by more than its way", ChainRun::laterThanItsWay)
          .addAll(ChainRun::result, ResultColumns.LAG);

  static final Columns<Piece> SERVICES =
      new Columns<Piece>()
          .add("calls have", piece -> piece.run().label())
          .add("service", piece -> piece.work().service())
          .add("work begun", piece -> piece.work().begun())
          .add("after nobody waited", piece -> piece.work().late())
          .add("by more than its way", piece -> piece.work().laterThanItsWay())
          .add("ended at the deadline", piece -> piece.work().notInTime())
          .add("timed out", piece -> piece.work().timedOut())
          .add("queue full", piece -> piece.work().refused());

  private Tables() {}

  static String title(TailForm form) {
    return String.format(
        Locale.ROOT,
        "A slow tail: %d calls a second for %.0f s; the service takes %d ms, and %d ms in %d of 100"
            + " attempts, by a draw for each. Budget of hedges: %d %% and %d a second.",
        form.perSecond(),
        form.millis() / 1e3,
        form.fastMillis(),
        form.slowMillis(),
        form.slowPercent(),
        TailForm.BUDGET_PERCENT,
        TailForm.BUDGET_PER_SECOND);
  }

  static String title(ChainForm form) {
    return String.format(
        Locale.ROOT,
        "Three services, each asks the next and then works: %d calls a second for %.0f s, whose"
            + " callers wait %d ms. The third does %d pieces of %d ms at once, %d wait, and stands"
            + " still for %.0f s of every %.0f; each hop has %d ms.",
        form.perSecond(),
        form.millis() / 1e3,
        form.patienceMillis(),
        form.places(),
        form.workMillis(),
        form.queue(),
        form.pauseMillis() / 1e3,
        form.pauseEveryMillis() / 1e3,
        form.hopMillis());
  }
}
