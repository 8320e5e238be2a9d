// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway;

import dev.tenrec.field.gateway.proxy.Gateway;
import dev.tenrec.field.gateway.proxy.GatewayCounts;
import dev.tenrec.field.kit.Ratio;
import dev.tenrec.field.kit.Shape;
import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.Counts;
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
            at(List.of(50, 200, 500), users -> ratios.through(Cell.HELLO, users))),
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
            at(List.of(200, 500), users -> ratios.refused(Cell.SLOW, users, Gateway.NO_WAITING))),
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
            "`slow`, 500 users, limit 100 ÷ limit 1,000: gateway cores; gateway CPU per call",
            "well above 1 (asserted: above 2); well below 1 (asserted: below 0.7)",
            Ratio.all(
                List.of(
                    ratios.ratio(
                        users(Cell.SLOW, Form.ORIGINAL, 500),
                        users(Cell.SLOW, Form.FITTING, 500),
                        Reading::cores,
                        "cores"),
                    ratios.ratio(
                        users(Cell.SLOW, Form.ORIGINAL, 500),
                        users(Cell.SLOW, Form.FITTING, 500),
                        Reading::cpuMicrosPerCall,
                        "µs")))),
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
            "a limit is rate × service time",
            "question 1, without figures",
            "refused ÷ sent, `slow` at 1,000/s × 0.2 s = 200 in flight: limit by Sizing, limit 100",
            "0, most (asserted: below 0.01; above 0.5)",
            ratios.formula()),
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
            at(List.of(200, 500), users -> ratios.refused(Cell.HELLO, users, Gateway.NO_WAITING))),
        new Shape(
            "",
            "",
            "the same, through a gateway of 200 threads that wait for the service, as a container's",
            "not asserted",
            at(List.of(200, 500), users -> ratios.refused(Cell.HELLO, users, Form.CONTAINER))),
        new Shape(
            "a POST",
            "no figure",
            "POST of 1 kB, 50 users, through ÷ direct: calls/s",
            "as `hello` at 50 users (not asserted)",
            ratios.through(Cell.POST, 50)));
  }

  /** Which load, however many calls it made. */
  private record Wanted(String call, int limit, Arrivals arrivals, int threads) {

    Wanted(String call, int limit, Arrivals arrivals) {
      this(call, limit, arrivals, Gateway.NO_WAITING);
    }
  }

  private static Wanted users(String call, int limit, int users) {
    return new Wanted(call, limit, new Arrivals.Closed(users));
  }

  private Optional<Reading> find(Wanted wanted) {
    return readings.stream()
        .filter(reading -> reading.cell().call().equals(wanted.call()))
        .filter(reading -> reading.cell().limit() == wanted.limit())
        .filter(reading -> reading.cell().threads() == wanted.threads())
        .filter(reading -> reading.cell().arrivals().equals(wanted.arrivals()))
        .findFirst();
  }

  private Ratio ratio(Wanted one, Wanted other, ToDoubleFunction<Reading> figure, String unit) {
    return Ratio.ratio(find(one), find(other), figure, unit);
  }

  private Ratio formula() {
    return Ratio.each(
        List.of(Form.BY_FORMULA, Form.ORIGINAL),
        limit -> "limit " + limit,
        limit -> refused(new Wanted(Cell.SLOW, limit, SCHEDULE)));
  }

  private static Ratio at(List<Integer> levels, Function<Integer, Ratio> figure) {
    return Ratio.each(levels, users -> users + " users", figure);
  }

  private Ratio through(String call, int users) {
    return ratio(
        users(call, Form.FITTING, users),
        users(call, Cell.DIRECT, users),
        Reading::callsPerSecond,
        "calls/s");
  }

  private Ratio refused(String call, int users, int threads) {
    return refused(new Wanted(call, Form.ORIGINAL, new Arrivals.Closed(users), threads));
  }

  private Ratio refused(Wanted wanted) {
    return find(wanted)
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
        : Ratio.stated(Ratio.figure(lost) + " of " + Ratio.figure(sent), lost);
  }

  private Ratio held() {
    GatewayCounts gateway =
        find(users(Cell.SLOW, Form.FITTING, 500)).map(Reading::gateway).orElse(null);
    return gateway == null
        ? Ratio.NOT_MEASURED
        : Ratio.stated(
            gateway.mostInFlight() + "; " + gateway.process().threads(),
            (double) gateway.mostInFlight(),
            (double) gateway.process().threads());
  }
}
