// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway;

import dev.tenrec.field.gateway.proxy.GatewayCounts;
import dev.tenrec.field.kit.Ratio;
import dev.tenrec.field.kit.Shape;
import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.Counts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The shapes of the original, and what each came to here, as far as it was measured. */
final class Ratios {

  private static final Arrivals SCHEDULE = new Arrivals.Open(Form.DEFAULT.perSecond());

  private final List<Reading> readings;

  private Ratios(List<Reading> readings) {
    this.readings = readings;
  }

  static List<Shape> of(List<Reading> readings) {
    Ratios ratios = new Ratios(readings);
    return List.of(
        new Shape(
            "the gateway costs processor time",
            "`hello`, through ÷ direct, req/s: 0.72, 0.77, 0.83 at 50, 200, 500 users",
            "calls/s of the same rows, limit 1,000",
            "below 1; lower than there, for driver and service share its cores",
            ratios.at(List.of(50, 200, 500), users -> ratios.through(Cell.HELLO, users))),
        new Shape(
            "it costs little where there is processor time to spare",
            "`slow`, 50 users, through ÷ direct: 0.99",
            "the same",
            "near 1 (asserted: above 0.9)",
            ratios.through(Cell.SLOW, 50)),
        new Shape(
            "the service stops at 200 calls",
            "`slow`, direct, 500 ÷ 50 users: 4.0",
            "the same",
            "towards 10: there is no such stop",
            ratios.ratio(
                users(Cell.SLOW, Cell.DIRECT, 500),
                users(Cell.SLOW, Cell.DIRECT, 50),
                Reading::callsPerSecond,
                "calls/s")),
        new Shape(
            "the limit refuses most",
            "`slow`, 200 and 500 users: 98.4 % failed",
            "refused ÷ sent, limit 100",
            "about the same (asserted: above 0.9 at 500 users)",
            ratios.at(List.of(200, 500), users -> ratios.refused(Cell.SLOW, users))),
        new Shape(
            "refusals come faster than answers",
            "`slow`, 200 users, through ÷ direct, req/s: 2.6",
            "calls/s of the same rows, limit 100",
            "well above 2.6",
            ratios.ratio(
                users(Cell.SLOW, Form.ORIGINAL, 200),
                users(Cell.SLOW, Cell.DIRECT, 200),
                Reading::callsPerSecond,
                "calls/s")),
        new Shape(
            "when circuits break, the gateway's processor is exhausted",
            "said, without figures",
            "gateway CPU per call, `slow`, 500 users: limit 100 ÷ limit 1,000",
            "well below 1, the opposite (asserted: below 0.7)",
            ratios.ratio(
                users(Cell.SLOW, Form.ORIGINAL, 500),
                users(Cell.SLOW, Form.FITTING, 500),
                Reading::cpuMicrosPerCall,
                "µs")),
        new Shape(
            "",
            "",
            "gateway cores, `slow` at 1,000/s: limit 100 ÷ limit 1,000",
            "below 1 (asserted: below 0.8)",
            ratios.ratio(
                new Wanted(Cell.SLOW, Form.ORIGINAL, SCHEDULE),
                new Wanted(Cell.SLOW, Form.FITTING, SCHEDULE),
                Reading::cores,
                "cores")),
        new Shape(
            "a limit that fits refuses nobody",
            "wanted",
            "failed and refused, limit 1,000",
            "0 exactly (asserted)",
            ratios.fitting()),
        new Shape(
            "hundreds of calls on one small machine",
            "wanted",
            "most in flight, `slow`, 500 users; threads",
            "500; about 20 (asserted: above 450; below 40)",
            ratios.held()),
        new Shape(
            "`hello` is hardly refused",
            "24 and 92 of 50,000",
            "refused ÷ sent, `hello`, limit 100, 200 and 500 users",
            "does not reproduce: see below",
            ratios.at(List.of(200, 500), users -> ratios.refused(Cell.HELLO, users))));
  }

  /** Which load, however many calls it made. */
  private record Wanted(String call, int limit, Arrivals arrivals) {}

  private static Wanted users(String call, int limit, int users) {
    return new Wanted(call, limit, new Arrivals.Closed(users));
  }

  private Optional<Reading> find(Wanted wanted) {
    return readings.stream()
        .filter(reading -> reading.cell().call().equals(wanted.call()))
        .filter(reading -> reading.cell().limit() == wanted.limit())
        .filter(reading -> reading.cell().arrivals().equals(wanted.arrivals()))
        .findFirst();
  }

  private Ratio ratio(Wanted one, Wanted other, ToDoubleFunction<Reading> figure, String unit) {
    Optional<Reading> first = find(one);
    Optional<Reading> second = find(other);
    return first.isPresent() && second.isPresent()
        ? Ratio.ratio(figure.applyAsDouble(first.get()), figure.applyAsDouble(second.get()), unit)
        : Ratio.NOT_MEASURED;
  }

  private Ratio at(List<Integer> levels, Function<Integer, Ratio> figure) {
    List<Ratio> each = new ArrayList<>();
    levels.forEach(users -> each.add(figure.apply(users).of(users + " users")));
    return Ratio.all(each);
  }

  private Ratio through(String call, int users) {
    return ratio(
        users(call, Form.FITTING, users),
        users(call, Cell.DIRECT, users),
        Reading::callsPerSecond,
        "calls/s");
  }

  private Ratio refused(String call, int users) {
    return find(users(call, Form.ORIGINAL, users))
        .map(reading -> reading.result().counts())
        .map(counts -> Ratio.ratio((double) counts.refused(), (double) counts.sent(), ""))
        .orElse(Ratio.NOT_MEASURED);
  }

  /** Of all loads whose limit is one that fits. */
  private Ratio fitting() {
    double lost = 0;
    double sent = 0;
    for (Reading reading : readings) {
      if (reading.cell().limit() == Form.FITTING) {
        Counts counts = reading.result().counts();
        lost += counts.failed() + counts.refused();
        sent += counts.sent();
      }
    }
    return sent == 0
        ? Ratio.NOT_MEASURED
        : Ratio.told(Ratio.figure(lost) + " of " + Ratio.figure(sent), lost);
  }

  private Ratio held() {
    GatewayCounts gateway =
        find(users(Cell.SLOW, Form.FITTING, 500)).map(Reading::gateway).orElse(null);
    return gateway == null
        ? Ratio.NOT_MEASURED
        : Ratio.told(
            gateway.mostInFlight() + "; " + gateway.threads(),
            (double) gateway.mostInFlight(),
            (double) gateway.threads());
  }
}
