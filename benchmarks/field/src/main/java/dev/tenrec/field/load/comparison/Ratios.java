// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.comparison;

import dev.tenrec.field.kit.Ratio;
import dev.tenrec.field.kit.Shape;
import dev.tenrec.field.load.engine.Engines;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/** The shapes of the original, and what each came to here, as far as it was measured. */
final class Ratios {

  private static final int LARGE = 512;
  private static final int SMALL = 128;
  private static final int QUICK = 0;
  private static final int SLOW = 500;
  private static final String NO_FIGURE = "no figure";

  private final Map<Cell, Figures> measured;

  private Ratios(Map<Cell, Figures> measured) {
    this.measured = measured;
  }

  static List<Shape> of(Map<Cell, Figures> measured) {
    Ratios ratios = new Ratios(measured);
    return List.of(
        new Shape(
            "the pool shows the best mean",
            NO_FIGURE,
            "mean since sent against the quick service, 1,000 users: async ÷ pool",
            "well above 1 (asserted: above 4); but a thread per call shows a better one: see below",
            ratios.ratio(
                new Wanted(LARGE, QUICK, Engines.ASYNC, 1_000),
                new Wanted(LARGE, QUICK, Engines.POOL, 1_000),
                "sinceSentMeanMillis",
                "ms")),
        new Shape(
            "and is lying",
            NO_FIGURE,
            "pool, same rows: mean since intended ÷ since sent",
            "well above 1 (asserted: above 4)",
            ratios.twoMeans(new Wanted(LARGE, QUICK, Engines.POOL, 1_000))),
        new Shape(
            "the 500 ms service exposes it",
            NO_FIGURE,
            "answers/s, 1,000 users: async ÷ pool",
            "towards 50 = 1,000 ÷ 20 (asserted: above 10)",
            ratios.ratio(
                new Wanted(LARGE, SLOW, Engines.ASYNC, 1_000),
                new Wanted(LARGE, SLOW, Engines.POOL, 1_000),
                "perSecond",
                "answers/s")),
        new Shape(
            "only 20 calls are ever in flight",
            "20",
            "most in flight as the service saw it, pool, 1,000 users",
            "20 exactly (asserted)",
            ratios.count(new Wanted(LARGE, SLOW, Engines.POOL, 1_000), "serviceMostInFlight")),
        new Shape(
            "a user of the pool waits for the crowd",
            NO_FIGURE,
            "pool, 500 ms, 1,000 users: mean since intended ÷ since sent",
            "towards 25.5, the mean of 50 rounds (asserted: above 15)",
            ratios.twoMeans(new Wanted(LARGE, SLOW, Engines.POOL, 1_000))),
        new Shape(
            "asynchronous I/O holds 5,000 in 128 MB",
            "5,000",
            "answered, async, 128 MB, 500 ms, 5,000 users",
            "5,000 (asserted)",
            ratios.count(new Wanted(SMALL, SLOW, Engines.ASYNC, 5_000), "answered")),
        new Shape(
            "a tool with a thread per call dies at 2,000 in 128 MB",
            "2,000",
            "answered, thread, 128 MB, 500 ms: 2,000 and 5,000 users; memory at 2,000: thread ÷"
                + " async",
            "all, and well above 1 (asserted, at 5,000 if it lives: above 1.3): see below",
            Ratio.all(
                List.of(
                    ratios.answered(2_000),
                    ratios.answered(5_000),
                    ratios.ratio(
                        new Wanted(SMALL, SLOW, Engines.THREAD, 2_000),
                        new Wanted(SMALL, SLOW, Engines.ASYNC, 2_000),
                        "residentMegabytes",
                        "MB")))),
        new Shape(
            "fibers come close to asynchronous I/O",
            NO_FIGURE,
            "answers/s, 500 ms, 2,000 users: virtual ÷ async",
            "near 1 (asserted: above 0.5)",
            Ratio.all(List.of(ratios.virtual(LARGE), ratios.virtual(SMALL)))));
  }

  /** Which cell, however many calls it made. */
  private record Wanted(int heapMegabytes, int delayMillis, Engines engine, int users) {

    boolean is(Cell cell) {
      return cell.permits() == 0
          && cell.heapMegabytes() == heapMegabytes
          && cell.delayMillis() == delayMillis
          && cell.engine() == engine
          && cell.users() == users;
    }
  }

  private <T> Optional<T> find(Wanted wanted, BiFunction<Cell, Figures, T> made) {
    return measured.entrySet().stream()
        .filter(one -> wanted.is(one.getKey()))
        .map(one -> made.apply(one.getKey(), one.getValue()))
        .findFirst();
  }

  /** One that did not come to its end, for whatever reason, measured nothing. */
  private Optional<Figures> find(Wanted wanted) {
    return find(wanted, (cell, figures) -> isWhole(cell, figures) ? figures : none())
        .filter(Figures::isMeasured);
  }

  /** A row without its users says nothing of that many users. */
  private static boolean isWhole(Cell cell, Figures figures) {
    return cell.isByTime()
        ? figures.hasWindow() && !figures.presence(cell).isOff()
        : figures.count("sent") == cell.requests();
  }

  private static Figures none() {
    return Figures.none("");
  }

  private Ratio ratio(Wanted one, Wanted other, String figure, String unit) {
    return Ratio.ratio(find(one), find(other), figures -> figures.value(figure), unit);
  }

  private Ratio twoMeans(Wanted wanted) {
    return find(wanted)
        .map(
            figures ->
                Ratio.ratio(
                    figures.value("sinceIntendedMeanMillis"),
                    figures.value("sinceSentMeanMillis"),
                    "ms"))
        .orElse(Ratio.NOT_MEASURED);
  }

  private Ratio count(Wanted wanted, String figure) {
    return find(wanted)
        .map(figures -> Ratio.stated(Ratio.figure(figures.value(figure)), figures.value(figure)))
        .orElse(Ratio.NOT_MEASURED);
  }

  /** A run that died is an answer to this: what it said is shown. */
  private Ratio answered(int users) {
    return find(new Wanted(SMALL, SLOW, Engines.THREAD, users), Ratios::answered)
        .orElse(Ratio.NOT_MEASURED);
  }

  private static Ratio answered(Cell cell, Figures figures) {
    String users = " (" + Ratio.figure(cell.users()) + " users)";
    if (!figures.isMeasured()) {
      return Ratio.stated(figures.remark() + users);
    }
    double answered = figures.value("answered");
    return Ratio.stated(
        Ratio.figure(answered) + " of " + Ratio.figure(cell.requests()) + users, answered);
  }

  private Ratio virtual(int heapMegabytes) {
    return ratio(
            new Wanted(heapMegabytes, SLOW, Engines.VIRTUAL, 2_000),
            new Wanted(heapMegabytes, SLOW, Engines.ASYNC, 2_000),
            "perSecond",
            "answers/s")
        .of(heapMegabytes + " MB");
  }
}
