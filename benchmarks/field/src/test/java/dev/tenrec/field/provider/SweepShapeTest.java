// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.provider.Point.Part;
import dev.tenrec.field.provider.service.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The shapes of system 4, by ratios; each figure is the median of three runs. */
@Tag("field")
class SweepShapeTest {

  private static final int RUNS = 3;
  private static final PoolSetting MIDDLING = PoolSetting.fixed(16, 100);

  private static Bench bench;

  @BeforeAll
  static void start() throws Exception {
    bench = Bench.start(0, Form.USERS);
    for (Point point : Form.FULL.warmUps()) {
      Measured unused = bench.run(point, Form.FULL.warmUp(), Stop.onDemand());
    }
  }

  @AfterAll
  static void end() {
    bench.close();
  }

  @Test
  void threads_ofTheFastMethod_beyondThePlateau_bringNoMoreAndHaveAllWait() throws Exception {
    List<Measured> middle = alone(Method.IS_FOLLOW, PoolSetting.fixed(16, 100));
    List<Measured> many = alone(Method.IS_FOLLOW, PoolSetting.fixed(200, 100));

    // 0.79 in the original, of another pair; 0.95 and 0.98 on two machines here
    assertThat(answers(many) / answers(middle)).isLessThan(1.1);
    assertThat(p99(many, Method.IS_FOLLOW) / p99(middle, Method.IS_FOLLOW)).isGreaterThan(1.15);
    assertThat(answers(alone(Method.IS_FOLLOW, PoolSetting.fixed(2, 100))) / answers(middle))
        .isLessThan(0.85);
  }

  @Test
  void threads_ofTheFastMethod_fewDoLessAndManyDoHardlyMore() throws Exception {
    List<Measured> few = alone(Method.IS_FOLLOW, PoolSetting.fixed(2, 0));
    List<Measured> middling = alone(Method.IS_FOLLOW, MIDDLING);
    List<Measured> many = alone(Method.IS_FOLLOW, Form.DEFAULT);

    // 0.63 and 0.79 in the original
    assertThat(answers(few) / answers(middling)).isLessThan(0.85);
    assertThat(answers(many) / answers(middling)).isLessThan(1.1);
    // 0.75 in the original
    assertThat(median(few, Measured::cpuPercent) / median(middling, Measured::cpuPercent))
        .isLessThan(0.95);
    assertThat(median(many, one -> one.threads(Method.IS_FOLLOW))).isGreaterThan(50);
  }

  @Test
  void smallPool_underTheSlowMethod_protectsCpuStoreAndThoseLetIn() throws Exception {
    List<Measured> small = alone(Method.FOLLOW, Form.SMALL);
    List<Measured> large = alone(Method.FOLLOW, Form.DEFAULT);

    assertThat(median(small, Measured::cpuPercent) / median(large, Measured::cpuPercent))
        .isLessThan(0.9);
    assertThat(p99(small, Method.FOLLOW) / p99(large, Method.FOLLOW)).isLessThan(0.7);
    assertThat(median(small, one -> one.mostAtStore(Method.FOLLOW))).isEqualTo(8);
    assertThat(median(large, one -> one.mostAtStore(Method.FOLLOW))).isGreaterThan(90);
  }

  @Test
  void onePool_forFastAndSlow_fitsNeither() throws Exception {
    PoolSetting large = PoolSetting.fixed(50, 100);

    double fast =
        answers(alone(Method.IS_FOLLOW, MIDDLING)) / answers(alone(Method.IS_FOLLOW, large));
    double slow = answers(alone(Method.FOLLOW, MIDDLING)) / answers(alone(Method.FOLLOW, large));

    // the fast one has enough in 16, on processors of any speed (in 8 it had 0.72 of it on a quick
    // one); the slow one wants as many as its store has places, which are 32
    assertThat(fast).isGreaterThan(0.9);
    assertThat(slow).isLessThan(0.6);
  }

  @Test
  void aPoolEach_forFastAndSlow_doesWhatOneCouldNot() throws Exception {
    List<Point> mixed =
        Form.FULL.points().stream().filter(point -> point.part() == Part.MIXED).toList();
    Point shared =
        mixed.stream().filter(one -> one.shared().equals(Form.CHOSEN)).findFirst().orElseThrow();
    Point own = mixed.stream().filter(one -> !one.own().isEmpty()).findFirst().orElseThrow();

    List<Measured> together = runs(shared);
    List<Measured> apart = runs(own);

    for (Method method : List.of(Method.IS_FOLLOW, Method.FOLLOW)) {
      assertThat(
              median(apart, one -> one.perSecond(method))
                  / median(together, one -> one.perSecond(method)))
          .as("%s", method)
          .isGreaterThan(1.3);
      assertThat(p99(apart, method) / p99(together, method)).as("%s", method).isLessThan(0.9);
    }
  }

  /** A queue holds what comes at once; beyond that it only decides which calls wait. */
  @Test
  void beyondCapacity_aBoundRefuses_andNoBoundHasAllWait() throws Exception {
    double capacity = answers(runs(Form.CAPACITY));
    List<Measured> below = runs(Form.CAPACITY.bySchedule((int) (capacity * 0.8)));
    int beyond = (int) (capacity * 1.2);
    List<Measured> bounded = runs(Form.CAPACITY.bySchedule(beyond));
    List<Measured> unlimited =
        runs(
            Point.of(Part.CAPACITY, Method.FOLLOW, Form.USERS, Form.UNLIMITED, 0)
                .bySchedule(beyond));

    assertThat(median(below, one -> one.refusedShare(Method.FOLLOW))).isZero();
    // a sixth of what comes is too much
    assertThat(median(bounded, one -> one.refusedShare(Method.FOLLOW))).isBetween(0.08, 0.25);
    assertThat(answers(bounded) / capacity).isBetween(0.9, 1.1);
    assertThat(median(unlimited, one -> one.refusedShare(Method.FOLLOW))).isZero();
    assertThat(p99(unlimited, Method.FOLLOW) / p99(bounded, Method.FOLLOW)).isGreaterThan(3);
  }

  @Test
  void canary_thatIsBetter_isKept_andTheOneThatHasCallersWait_isTakenBack() throws Exception {
    List<Canary.Phase> phases = new ArrayList<>();
    try (Canary canary = Canary.start()) {
      canary.warmUp(Form.FULL.warmUp(), Stop.onDemand());
      canary.run(Duration.ofSeconds(3), Stop.onDemand(), Progress.none(), phases::add);
    }

    assertThat(phases)
        .extracting(Canary.Phase::name)
        .containsExactly(
            "before", "tried on one", "kept, on both", "before", "tried on one", "taken back");
    for (Canary.Phase phase : phases) {
      for (Measured one : phase.both()) {
        assertThat(PointReconciliation.differences(one)).as("%s", phase.name()).isEmpty();
        assertThat(one.counts(Method.FOLLOW).failed()).as("%s", phase.name()).isZero();
      }
    }
    // twice the threads of a method that only waits
    assertThat(
            phases.get(1).changed().perSecond(Method.FOLLOW)
                / phases.get(1).other().perSecond(Method.FOLLOW))
        .isGreaterThan(1.6);
    assertThat(
            phases.get(2).other().perSecond(Method.FOLLOW)
                / phases.get(0).other().perSecond(Method.FOLLOW))
        .isGreaterThan(1.6);
  }

  private static List<Measured> alone(Method method, PoolSetting pool) throws Exception {
    return runs(Point.of(Part.SWEEP, method, Form.USERS, pool, Form.PAUSE_MILLIS));
  }

  private static List<Measured> runs(Point point) throws Exception {
    List<Measured> runs = new ArrayList<>();
    for (int run = 0; run < RUNS; run++) {
      Measured measured = bench.run(point, Duration.ofSeconds(3), Stop.onDemand());
      assertThat(PointReconciliation.differences(measured)).as("%s", point).isEmpty();
      assertThat(measured.results().values())
          .as("%s", point)
          .noneMatch(result -> result.presence().isOff());
      runs.add(measured);
    }
    return runs;
  }

  private static double answers(List<Measured> runs) {
    return median(runs, one -> one.perSecond(one.onlyMethod()));
  }

  private static double p99(List<Measured> runs, Method method) {
    return median(runs, one -> one.p99Millis(method));
  }

  private static double median(List<Measured> runs, ToDoubleFunction<Measured> figure) {
    return runs.stream().mapToDouble(figure).sorted().skip(RUNS / 2).findFirst().orElseThrow();
  }
}
