// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import dev.tenrec.field.kit.Axis;
import dev.tenrec.field.kit.Columns;
import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.Plot;
import dev.tenrec.field.kit.Ratio;
import dev.tenrec.field.kit.ReportWriter;
import dev.tenrec.field.kit.Shape;
import dev.tenrec.field.thrift.consumer.Outage;
import dev.tenrec.field.thrift.consumer.Strategy;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What the further attempts of consumers cost a provider, and what they brought. */
final class StrategiesReport extends ReportWriter {

  static final Columns<SurgeRun> SURGES =
      new Columns<SurgeRun>()
          .add("consumers", run -> run.setup().guard())
          .add("calls", run -> run.count("c.received"))
          .add("attempts", StrategiesReport::attempts)
          .add("for each call", "%.2f", StrategiesReport::forEachCall)
          .add("by the budget at most", StrategiesReport::most)
          .add("calls out to the provider", run -> run.count("c.attempts"))
          .add("useful answers", run -> run.total().answered())
          .add("of these in the surge", run -> run.total(Phase.SURGE).answered())
          .add("answered % after it", "%.1f", run -> 100 * run.total(Phase.AFTER).answeredShare())
          .add("recovered after s", SurgeRun::recoveredSaid)
          .add("it did", run -> run.count("p.done"))
          .add("for nobody", SurgeRun::doneForNobody)
          .add("for nobody %", "%.1f", run -> 100 * shareForNobody(run))
          .add("retries", run -> run.count("command.RETRY"))
          .add("hedges", run -> run.count("command.HEDGE"))
          .add("refused by the budget", StrategiesReport::refused);

  static final Columns<Outage> OUTAGES =
      new Columns<Outage>()
          .add("command", one -> one.strategy().label())
          .add("calls", Outage::calls)
          .add("attempts", Outage::connects)
          .add("for each call", "%.2f", Outage::connectsForEachCall)
          .add("by the budget at most", StrategiesReport::most)
          .add("seconds", "%.1f", Outage::seconds)
          .add(
              "refused by the budget",
              one -> one.counts().getOrDefault("command.RETRY_BUDGET_EXHAUSTED", 0L));

  private final Measured measured;
  private final List<Outage> outages;

  StrategiesReport(Measured measured, List<Outage> outages, Ending ending) {
    super(
        "system2-attempts",
        measured.runs() + outages.size(),
        measured.planned() + Strategies.ALL.size(),
        differences(measured, outages),
        ending);
    this.measured = measured;
    this.outages = outages;
  }

  /** Besides what every surge has to agree on, no budget may have been overdrawn. */
  private static List<String> differences(Measured measured, List<Outage> outages) {
    List<String> differences = new ArrayList<>(measured.differences());
    for (SurgeRun run : measured.surges()) {
      if (attempts(run) > most(run)) {
        differences.add(
            String.format(
                Locale.ROOT,
                "%s: %d attempts, expected at most %d by the budget",
                run.setup(),
                attempts(run),
                most(run)));
      }
    }
    for (Outage one : outages) {
      if (one.connects() > most(one)) {
        differences.add(
            String.format(
                Locale.ROOT,
                "an outage, %s: %d attempts, expected at most %d by the budget",
                one.strategy().label(),
                one.connects(),
                most(one)));
      }
    }
    return differences;
  }

  /** Those that found no connection in their time included, which the provider has no count of. */
  static long attempts(SurgeRun run) {
    return run.count("c.received") + run.count("command.RETRY") + run.count("command.HEDGE");
  }

  static double forEachCall(SurgeRun run) {
    return (double) attempts(run) / run.count("c.received");
  }

  static double shareForNobody(SurgeRun run) {
    return (double) run.doneForNobody() / run.count("p.done");
  }

  private static Strategy strategy(SurgeRun run) {
    return Objects.requireNonNull(run.setup().around().strategy());
  }

  private static long refused(SurgeRun run) {
    return run.count("command.RETRY_BUDGET_EXHAUSTED") + run.count("command.HEDGE_REFUSED");
  }

  /** Each consumer has a budget of its own. */
  static long most(SurgeRun run) {
    Form form = run.form();
    double seconds =
        form.warmUpMillis() / 1e3
            + form.windows() * form.windowSeconds()
            + form.callerMillis() / 1e3
            + Math.max(0, run.quietAfterSeconds());
    Strategy strategy = strategy(run);
    return Outage.most(
        run.count("c.received"),
        strategy.percent(),
        strategy.perSecond(),
        run.setup().consumers(),
        seconds);
  }

  static long most(Outage one) {
    return Outage.most(
        one.calls(), one.strategy().percent(), one.strategy().perSecond(), 1, one.seconds());
  }

  @Override
  protected void print(PrintStream out) {
    Shape.printOwn(shapes(), out);
    verdict(
        out,
        "runs",
        "driver, consumers, commands, their budgets and the provider",
        measured.surges().stream()
            .filter(run -> !run.remark().isEmpty())
            .map(run -> run.setup() + ": " + run.remark() + ", so that not all was compared")
            .toList());
  }

  @Override
  protected List<Shape> shapes() {
    return List.of(
        Shape.own(
            "a budget bounds what an outage costs",
            "a full outage: attempts for each call; budget never refuses, default budget, hedges",
            "3; at most 1.2 and the fixed rate; at most 1.05 and the fixed rate (asserted)",
            outages(Strategy.UNBOUNDED, Strategy.BUDGETED, Strategy.HEDGED)),
        Shape.own(
            "so it does in a collapse",
            "a surge: attempts for each call; budget never refuses, default" + " budget, hedges",
            "well above 1; at most 1.2 and the fixed rate; at most 1.05 and the fixed rate"
                + " (asserted)",
            each(
                run -> {
                  double each = forEachCall(run);
                  return Ratio.stated(Ratio.figure(each), each);
                },
                Guard.RETRIES,
                Guard.BUDGET,
                Guard.HEDGES)),
        Shape.own(
            "retries without a budget prolong the collapse, those on one do not",
            "seconds to two healthy windows: no retry; budget never refuses; default budget;"
                + " hedges",
            "far longer with the budget that never refuses; on the default budget, and with hedges,"
                + " at most two windows more than without (asserted)",
            each(
                StrategiesReport::recovery, Guard.ONCE, Guard.RETRIES, Guard.BUDGET, Guard.HEDGES)),
        Shape.own(
            "and have the provider work for callers that have gone",
            "for nobody ÷ what it did: no retry; budget never refuses; default budget; hedges",
            "more with the budget that never refuses (asserted)",
            each(
                run -> Ratio.ratio((double) run.doneForNobody(), (double) run.count("p.done"), ""),
                Guard.ONCE,
                Guard.RETRIES,
                Guard.BUDGET,
                Guard.HEDGES)));
  }

  private static Ratio recovery(SurgeRun run) {
    OptionalDouble seconds = run.recoveredAfterSeconds();
    return seconds.isPresent() && run.hasCollapsed()
        ? Ratio.stated(run.recoveredSaid() + " s", seconds.getAsDouble())
        : Ratio.stated(run.recoveredSaid());
  }

  private Ratio outages(Strategy... some) {
    List<Ratio> ratios = new ArrayList<>();
    for (Strategy strategy : some) {
      outages.stream()
          .filter(one -> one.strategy() == strategy)
          .findFirst()
          .ifPresent(
              one -> ratios.add(Ratio.ratio((double) one.connects(), (double) one.calls(), "")));
    }
    return Ratio.all(ratios);
  }

  private Ratio each(Function<SurgeRun, Ratio> figure, Guard... some) {
    List<Ratio> ratios = new ArrayList<>();
    for (Guard strategy : some) {
      ratios.add(surge(strategy).map(figure).orElse(Ratio.NOT_MEASURED));
    }
    return Ratio.all(ratios);
  }

  private Optional<SurgeRun> surge(Guard strategy) {
    return measured.surges().stream()
        .filter(run -> run.setup().around() == strategy)
        .filter(run -> run.windows().size() == run.form().windows())
        .findFirst();
  }

  @Override
  protected void fill() {
    put("steady", measured.steady().stream().map(CollapseReport::steady).toList());
    put("surges", measured.surges().stream().map(StrategiesReport::surge).toList());
    put("outages", outages.stream().map(StrategiesReport::outage).toList());
    plot("answered", windows());
    plot("queue", CollapseReport.queue(measured.surges()));
  }

  private Plot windows() {
    ToDoubleFunction<Window> answered =
        window -> 100 * Total.of(List.of(window.result())).answeredShare();
    Plot plot =
        new Plot(
            "Open model: calls answered, by when they were due",
            new Axis("seconds", false),
            new Axis("answered, %", false));
    for (SurgeRun run : measured.surges()) {
      for (Window window : run.windows()) {
        double middle = (window.number() + 0.5) * run.form().windowSeconds();
        plot.add(run.setup().guard(), middle, answered.applyAsDouble(window));
      }
    }
    return plot;
  }

  private static Map<String, @Nullable Object> surge(SurgeRun run) {
    Map<String, @Nullable Object> json = CollapseReport.surge(run);
    json.put("strategy", strategy(run).label());
    json.put("begun", attempts(run));
    json.put("mostByTheBudget", most(run));
    return json;
  }

  private static Map<String, @Nullable Object> outage(Outage one) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("strategy", one.strategy().label());
    json.put("calls", one.calls());
    json.put("attempts", one.connects());
    json.put("mostByTheBudget", most(one));
    json.put("seconds", one.seconds());
    json.putAll(one.counts());
    return json;
  }
}
