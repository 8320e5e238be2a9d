// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.kit.Stop;
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
  void threads_ofTheFastMethod_areBestInTheMiddleWhereNobodyIsRefused() throws Exception {
    List<Measured> middle = alone(Method.IS_FOLLOW, PoolSetting.fixed(16, 100));

    // 0.79 in the original, of another pair
    assertThat(answers(alone(Method.IS_FOLLOW, PoolSetting.fixed(200, 100))) / answers(middle))
        .isLessThan(0.97);
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
    PoolSetting small = PoolSetting.fixed(8, 100);
    PoolSetting large = PoolSetting.fixed(50, 100);

    double fast = answers(alone(Method.IS_FOLLOW, small)) / answers(alone(Method.IS_FOLLOW, large));
    double slow = answers(alone(Method.FOLLOW, small)) / answers(alone(Method.FOLLOW, large));

    // the fast one has enough in 8, the slow one wants as many as its database has places
    assertThat(fast).isGreaterThan(0.8);
    assertThat(slow).isLessThan(0.4);
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
