// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.ReportWriter;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.thrift.consumer.Outage;
import dev.tenrec.field.thrift.consumer.Strategy;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * One surge, and one full outage, for consumers that differ in nothing but their further attempts:
 * none, retries whose budget never refuses, the same retries on a budget, hedges on a budget.
 */
final class Strategies {

  static final List<Guard> ALL = List.of(Guard.ONCE, Guard.RETRIES, Guard.BUDGET, Guard.HEDGES);

  /** Of the short form, which only has to see that all agrees. */
  private static final List<Guard> FEW = List.of(Guard.BUDGET, Guard.HEDGES);

  private static final int PAYLOAD_BYTES = Form.PAYLOADS.get(0);

  private final Form form;
  private final Trial trial;
  private final Stop stop;
  private final List<SteadyRun> steady = new ArrayList<>();
  private final List<SurgeRun> surges = new ArrayList<>();
  private final List<Outage> outages = new ArrayList<>();

  Strategies(Form form, Trial trial, Stop stop) {
    this.form = form;
    this.trial = trial;
    this.stop = stop;
  }

  /** The setup of a surge. */
  static Setup setup(Form form, Guard strategy) {
    return form.surge(PAYLOAD_BYTES, strategy, 1);
  }

  /** The form of a full outage. */
  static Outage outage(Strategy strategy, int calls, Stop stop) throws Exception {
    return Outage.run(strategy, calls, Duration.ofSeconds(20), stop);
  }

  /** Measures all. */
  ReportWriter run(PrintStream out) throws InterruptedException {
    Ending ending = Ending.of(stop, () -> measure(out));
    Measured measured = new Measured(1 + surges().size(), steady, surges);
    return new StrategiesReport(measured, outages, ending);
  }

  private List<Guard> surges() {
    return form.equals(Form.SHORT) ? FEW : ALL;
  }

  private void measure(PrintStream out) throws Exception {
    try (Progress progress = Progress.on(out)) {
      Table table = new Table(out);
      Consumer<SteadyRun> first = table.steady();
      progress.show("one consumer");
      steady.addAll(trial.steady(PAYLOAD_BYTES, form.users(), run -> progress.end()));
      steady.forEach(first);
      if (stop.asked()) {
        return;
      }
      double capacity = steady.get(0).result().perSecond();
      table.surgeHead(form);
      progress.each(
          surges(),
          stop,
          strategy -> trial.surge(setup(form, strategy), capacity),
          (strategy, run) -> {
            surges.add(run);
            table.surge(run);
          });
      surges.forEach(StrategiesReport.SURGES.table(out, "What the attempts came to:"));
      Consumer<Outage> outage =
          StrategiesReport.OUTAGES.table(
              out, "A full outage: " + form.outageCalls() + " calls to a port that refuses:");
      progress.each(
          ALL,
          stop,
          strategy -> outage(Objects.requireNonNull(strategy.strategy()), form.outageCalls(), stop),
          (strategy, one) -> {
            outages.add(one);
            outage.accept(one);
          });
    }
  }
}
