// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import dev.tenrec.field.kit.Ratio;
import dev.tenrec.field.kit.Shape;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The shapes of the original, and what each came to here, as far as it was measured. */
final class Ratios {

  private static final int SMALL = Form.PAYLOADS.get(0);
  private static final int LARGE = Form.PAYLOADS.get(1);

  private final Measured measured;

  private Ratios(Measured measured) {
    this.measured = measured;
  }

  static List<Shape> of(Measured measured) {
    Ratios ratios = new Ratios(measured);
    return List.of(
        new Shape(
            "more users, no more answers",
            "4,600 to 4,800 req/s at 50 to 2,000 users: 1.04",
            "answers/s, 1 kB, one consumer: 500 ÷ 50 users",
            "near 1 (asserted: 0.75 to 1.33)",
            ratios.steady(500, 50, run -> run.result().perSecond(), "answers/s")),
        new Shape(
            "they only wait longer",
            "p95 608 ÷ 16 ms = 38, at 40 times the users",
            "p95, same rows",
            "towards 10, at 10 times the users (asserted: 5 to 20)",
            ratios.steady(500, 50, run -> run.result().sinceIntended().percentileMillis(95), "ms")),
        new Shape(
            "100 kB cost more than 1 kB",
            "4,150 ÷ 828 req/s = 5.0",
            "answers/s, 10 users: 1 kB ÷ 100 kB",
            "smaller: see below",
            ratios.payloads()),
        new Shape(
            "two consumers: seconds where milliseconds were",
            "max 5,000 ÷ p99 15 to 19 ms = 260 to 330",
            "p99, answered or not, unguarded: surge ÷ calm",
            "well above 1 (asserted: above 10)",
            ratios.unguarded(
                run -> Ratio.ratio(waitedP99(run, Phase.SURGE), waitedP99(run, Phase.CALM), "ms"))),
        new Shape(
            "*ours:* where the seconds come from",
            "",
            "p99, answered or not, unguarded surge ÷ what time-outs and threads let the last calls"
                + " of it wait",
            "near 1 (asserted: above 0.8)",
            ratios.unguarded(
                run -> Ratio.ratio(waitedP99(run, Phase.SURGE), run.lastWaitMillis(), "ms"))),
        new Shape(
            "calls fail",
            "82 and 152 of 100,000",
            "unguarded: answered % of the surge, and after it",
            "far more fail: see below (asserted: less than 90 % answered *after* the surge)",
            ratios.unguarded(
                run ->
                    percents(
                        answeredPercent(run, Phase.SURGE), answeredPercent(run, Phase.AFTER)))),
        new Shape(
            "its CPU falls from 171 to 17 %",
            "0.10",
            "for nobody ÷ what it did, unguarded",
            "its CPU does not fall, but what comes of it: see below (asserted: above 0.2)",
            ratios.unguarded(Ratios::forNobody)),
        new Shape(
            "it recovers, slowly",
            "from the next collapse to the next",
            "seconds to two healthy windows: unguarded, guarded",
            "many, few (asserted: at least 6, at most 4)",
            ratios.both(
                (unguarded, guarded) ->
                    Ratio.all(List.of(recovery(unguarded), recovery(guarded))))),
        new Shape(
            "*wanted:* own latency bounded",
            "",
            "p99, answered or not, guarded surge ÷ time-out",
            "about 1 at most (asserted: below 1.3)",
            ratios.guarded(
                run ->
                    Ratio.ratio(
                        waitedP99(run, Phase.SURGE), (double) run.form().callMillis(), "ms"))),
        new Shape(
            "*wanted:* shed, not pile up",
            "",
            "most in flight in the surge: unguarded ÷ guarded",
            "well above 1 (asserted: above 5)",
            ratios.both(
                (unguarded, guarded) ->
                    Ratio.ratio(mostInFlight(unguarded), mostInFlight(guarded), ""))),
        new Shape(
            "*wanted:* the provider recovers",
            "",
            "answered % after the surge; for nobody ÷ what it did, guarded",
            "near 100 % and 0 (asserted: above 95 %, below 0.1)",
            ratios.guarded(
                run -> {
                  double after = answeredPercent(run, Phase.AFTER);
                  return Ratio.all(
                      List.of(
                          Ratio.stated(String.format(Locale.ROOT, "%.1f %%", after), after),
                          forNobody(run)));
                })),
        new Shape(
            "*wanted:* back without a restart",
            "",
            "trips, closings, circuits closed at the end",
            "as many closings as trips, all closed (asserted)",
            ratios.guarded(Ratios::circuits)),
        new Shape(
            "*ours:* the second attempt",
            "",
            "1 kB, unguarded, two attempts ÷ one: calls out to the provider; for nobody ÷ what it"
                + " did, of each; seconds to two healthy windows, of each",
            "with one: fewer, less for nobody, over sooner (asserted)",
            ratios.attempts()),
        new Shape(
            "*ours:* the circuit beside the limit",
            "",
            "1 kB, guarded, with a circuit ÷ without: answered in the surge; p99, answered or not,"
                + " of the surge; answered % after it, of each",
            "what the circuit costs in answers, and brings in time (not asserted)",
            ratios.circuit()),
        new Shape(
            "*ours:* what the guard gives away",
            "",
            "1 kB, answers/s in the surge ÷ what the provider did for 10 users: each guard",
            "below 1 (not asserted)",
            ratios.kept()));
  }

  private Ratio steady(
      int manyUsers, int fewUsers, ToDoubleFunction<SteadyRun> figure, String unit) {
    return Ratio.ratio(steady(SMALL, manyUsers), steady(SMALL, fewUsers), figure, unit);
  }

  private Ratio payloads() {
    return Ratio.ratio(
        steady(SMALL, Form.STEADY_THREADS),
        steady(LARGE, Form.STEADY_THREADS),
        run -> run.result().perSecond(),
        "answers/s");
  }

  private Ratio unguarded(Function<SurgeRun, Ratio> figure) {
    return each(payload -> unguarded(payload).map(figure).orElse(Ratio.NOT_MEASURED));
  }

  private Ratio guarded(Function<SurgeRun, Ratio> figure) {
    return each(payload -> guarded(payload).map(figure).orElse(Ratio.NOT_MEASURED));
  }

  /** Of an unguarded run and a guarded one, if there are both. */
  private Ratio both(BiFunction<SurgeRun, SurgeRun, Ratio> figure) {
    return each(payload -> Ratio.both(unguarded(payload), guarded(payload), figure));
  }

  private static Ratio each(Function<Integer, Ratio> figure) {
    return Ratio.each(Form.PAYLOADS, payload -> payload / 1_000 + " kB", figure);
  }

  private Ratio attempts() {
    return Ratio.both(
        unguarded(SMALL),
        surge(SMALL, Guard.NONE, 1),
        (two, one) ->
            Ratio.all(
                List.of(
                    Ratio.ratio(
                        (double) two.count("c.attempts"), (double) one.count("c.attempts"), ""),
                    forNobody(two).of("two"),
                    forNobody(one).of("one"),
                    recovery(two).of("two"),
                    recovery(one).of("one"))));
  }

  private Ratio circuit() {
    return Ratio.both(
        guarded(SMALL),
        surge(SMALL, Guard.NO_CIRCUIT, Setup.USUAL_ATTEMPTS),
        (with, without) ->
            Ratio.all(
                List.of(
                    Ratio.ratio(
                        (double) with.total(Phase.SURGE).answered(),
                        (double) without.total(Phase.SURGE).answered(),
                        ""),
                    Ratio.ratio(
                        waitedP99(with, Phase.SURGE), waitedP99(without, Phase.SURGE), "ms"),
                    percents(
                        answeredPercent(with, Phase.AFTER),
                        answeredPercent(without, Phase.AFTER)))));
  }

  private Ratio kept() {
    Optional<SteadyRun> alone = steady(SMALL, Form.STEADY_THREADS);
    return Ratio.all(
        measured.surges().stream()
            .filter(run -> run.setup().payloadBytes() == SMALL)
            .filter(run -> run.setup().around().isLimited())
            .map(
                run ->
                    alone
                        .map(
                            one ->
                                Ratio.ratio(
                                    answersInSurge(run), one.result().perSecond(), "answers/s"))
                        .orElse(Ratio.NOT_MEASURED)
                        .of(run.setup().guard()))
            .toList());
  }

  private static double answersInSurge(SurgeRun run) {
    return run.total(Phase.SURGE).answered()
        / (run.form().surgeWindows() * run.form().windowSeconds());
  }

  private static Ratio percents(double one, double other) {
    return Ratio.stated(String.format(Locale.ROOT, "%.1f and %.1f %%", one, other), one, other);
  }

  private Optional<SurgeRun> unguarded(int payload) {
    return surge(payload, Guard.NONE, Setup.USUAL_ATTEMPTS);
  }

  private Optional<SurgeRun> guarded(int payload) {
    return surge(payload, Guard.FULL, Setup.USUAL_ATTEMPTS);
  }

  private Optional<SteadyRun> steady(int payload, int users) {
    return measured.steady().stream()
        .filter(run -> run.setup().payloadBytes() == payload && run.users() == users)
        .findFirst();
  }

  /** One that was ended before its time is none. */
  private Optional<SurgeRun> surge(int payload, Guard around, int attempts) {
    return measured.surges().stream()
        .filter(run -> run.setup().payloadBytes() == payload)
        .filter(run -> run.setup().around() == around && run.setup().attempts() == attempts)
        .filter(run -> run.windows().size() == run.form().windows())
        .filter(run -> !run.remark().equals(SurgeRun.STOPPED))
        .findFirst();
  }

  private static double waitedP99(SurgeRun run, Phase phase) {
    return run.total(phase).waited().percentileMillis(99);
  }

  private static double answeredPercent(SurgeRun run, Phase phase) {
    return 100 * run.total(phase).answeredShare();
  }

  private static double mostInFlight(SurgeRun run) {
    return (double) run.total(Phase.SURGE).mostInFlight();
  }

  private static Ratio forNobody(SurgeRun run) {
    return Ratio.ratio((double) run.doneForNobody(), (double) run.count("p.done"), "");
  }

  private static Ratio recovery(SurgeRun run) {
    OptionalDouble seconds = run.recoveredAfterSeconds();
    return seconds.isPresent()
        ? Ratio.stated(
            String.format(Locale.ROOT, "%.0f s", seconds.getAsDouble()), seconds.getAsDouble())
        : Ratio.stated(
            String.format(
                Locale.ROOT,
                "not in %.0f s",
                run.form().afterWindows() * run.form().windowSeconds()));
  }

  private static Ratio circuits(SurgeRun run) {
    long trips = run.count("circuit.trips");
    long closings = run.count("circuit.closings");
    long closed = run.count("circuit.closed");
    return Ratio.stated(
        String.format(
            Locale.ROOT, "%d, %d, %d of %d", trips, closings, closed, run.setup().consumers()),
        (double) trips,
        (double) closings,
        (double) closed);
  }
}
