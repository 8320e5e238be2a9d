// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.attempts;

import dev.tenrec.field.kit.Axis;
import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.Plot;
import dev.tenrec.field.kit.Ratio;
import dev.tenrec.field.kit.Reconciliation;
import dev.tenrec.field.kit.ReportWriter;
import dev.tenrec.field.kit.Shape;
import dev.tenrec.field.load.Second;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;

/** What stands around the tables, and the files. */
final class AttemptsReport extends ReportWriter {

  private final List<TailRun> tails;
  private final List<ChainRun> chains;

  AttemptsReport(List<TailRun> tails, List<ChainRun> chains, int planned, Ending ending) {
    super("attempts", tails.size() + chains.size(), planned, differences(tails, chains), ending);
    this.tails = tails;
    this.chains = chains;
  }

  private static List<String> differences(List<TailRun> tails, List<ChainRun> chains) {
    Reconciliation found = new Reconciliation();
    tails.forEach(run -> found.addAll(run.label(), run.differences()));
    chains.forEach(run -> found.addAll(run.label(), run.differences()));
    return found.differences();
  }

  @Override
  protected void print(PrintStream out) {
    Shape.printOwn(shapes(), out);
    verdict(out, "runs", "driver, commands, their budget and the services", List.of());
  }

  @Override
  protected List<Shape> shapes() {
    return List.of(
        Shape.own(
            "a hedge takes the tail away",
            "p99: with a hedge ÷ without; with one ÷ (delay + 3 × p50 without)",
            "well below 1; at most 1 (asserted)",
            Ratio.both(
                tail(false),
                tail(true),
                (without, with) ->
                    Ratio.all(
                        List.of(
                            Ratio.ratio(with.p99Millis(), without.p99Millis(), "ms"),
                            Ratio.ratio(
                                with.p99Millis(),
                                with.form().hedgeMillis() + TailForm.MEDIANS * without.p50Millis(),
                                "ms"))))),
        Shape.own(
            "for little more load",
            "calls out to the service ÷ calls, with a hedge",
            "at most 1.06 (asserted)",
            tail(true)
                .map(
                    run ->
                        Ratio.ratio(
                            (double) run.attempts(), (double) run.result().counts().sent(), ""))
                .orElse(Ratio.NOT_MEASURED)),
        Shape.own(
            "with deadlines nothing is begun that nobody waits for",
            "work begun after nobody waited ÷ work begun: a time-out for each hop; deadlines that"
                + " travel; of these by more than what was on its way",
            "many; few; none (asserted: at most a tenth of the first)",
            Ratio.both(
                chain(false),
                chain(true),
                (without, with) ->
                    Ratio.all(
                        List.of(
                            Ratio.ratio((double) without.late(), (double) without.begun(), ""),
                            Ratio.ratio((double) with.late(), (double) with.begun(), ""),
                            Ratio.stated(
                                Long.toString(with.laterThanItsWay()),
                                (double) with.laterThanItsWay()))))),
        Shape.own(
            "so that more is done in time",
            "answered in time: deadlines that travel ÷ a time-out for each hop",
            "above 1 (asserted)",
            Ratio.both(
                chain(true),
                chain(false),
                (with, without) ->
                    Ratio.ratio(
                        (double) with.result().counts().answered(),
                        (double) without.result().counts().answered(),
                        "calls"))));
  }

  private Optional<TailRun> tail(boolean hedged) {
    return tails.stream().filter(run -> run.hedged() == hedged).findFirst();
  }

  private Optional<ChainRun> chain(boolean deadlines) {
    return chains.stream().filter(run -> run.deadlines() == deadlines).findFirst();
  }

  @Override
  protected void fill() {
    put("tails", tails.stream().map(TailRun::json).toList());
    put("chains", chains.stream().map(ChainRun::json).toList());
    plot("tail", percentiles());
    plot("chain", seconds());
  }

  private Plot percentiles() {
    Plot plot =
        new Plot(
            "A slow tail, open model: latency since due",
            new Axis("percentile", false),
            new Axis("ms", true));
    for (TailRun run : tails) {
      for (double percentile = 90; percentile <= 100; percentile += 0.5) {
        plot.add(
            run.label(), percentile, run.result().sinceIntended().percentileMillis(percentile));
      }
    }
    return plot;
  }

  private Plot seconds() {
    Plot plot =
        new Plot(
            "Three services, open model: calls answered in time",
            new Axis("seconds", false),
            new Axis("answers/s", false));
    for (ChainRun run : chains) {
      for (Second second : run.result().seconds()) {
        plot.add(run.label(), second.toSeconds(), second.perSecond());
      }
    }
    return plot;
  }
}
