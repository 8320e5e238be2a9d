// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The adviser sees a simulated command, and its advice is played in the same simulation: what it
 * foretells is what comes. The simulation itself is held against formulas. From fixed seeds.
 */
class AdviceInSimulationTest {

  private static final int CALLS = 100_000;
  private static final double MEAN = 0.05;

  private final SplittableRandom random = new SplittableRandom(18);

  private double exponential(double mean) {
    return -Math.log(1 - random.nextDouble()) * mean;
  }

  /** Calls that know nothing of each other. */
  private DoubleSupplier alone(double perSecond) {
    return () -> exponential(1 / perSecond);
  }

  /** So many at once, and the groups know nothing of each other. */
  private DoubleSupplier groups(double perSecond, int size) {
    int[] left = {0};
    return () -> {
      left[0] = left[0] == 0 ? size - 1 : left[0] - 1;
      return left[0] == size - 1 ? exponential(size / perSecond) : 0;
    };
  }

  /** All calls of a second in its first tenth. */
  private DoubleSupplier firstTenths(double perSecond) {
    double[] busy = {0}; // the time there would be without the pauses
    double[] before = {0};
    return () -> {
      busy[0] += exponential(1 / (10 * perSecond));
      double now = busy[0] + Math.floor(busy[0] / 0.1) * 0.9;
      double gap = now - before[0];
      before[0] = now;
      return gap;
    };
  }

  private Simulation play(DoubleSupplier gaps, DoubleSupplier work, Limits limits) {
    return Simulation.of(CALLS, gaps, work, limits);
  }

  private Simulation play(DoubleSupplier gaps, Limits limits) {
    return play(gaps, () -> exponential(MEAN), limits);
  }

  private static Limits permits(int permits) {
    return Limits.ofPermits(null, permits);
  }

  /** The limits in force once the advice has been taken. */
  private static Limits taken(Advice advice, Limits present) {
    Map<String, String> set = advice.properties("t");
    String timeout = set.get("t.command.Quote.execution.isolation.thread.timeoutInMilliseconds");
    return new Limits(
        timeout == null ? present.timeout() : Duration.ofMillis(Long.parseLong(timeout)),
        size(set, "coreSize", present.core()),
        size(set, "maxQueueSize", present.queue()),
        size(set, "maximumSize", present.maximum()));
  }

  private static int size(Map<String, String> set, String property, int present) {
    return Integer.parseInt(
        set.getOrDefault("t.threadpool.Quotes." + property, String.valueOf(present)));
  }

  // the simulation against formulas

  @ParameterizedTest
  @CsvSource({"100, 5", "100, 10", "400, 30"})
  void simulation_withPermits_refusesWhatErlangsLossFormulaSays(double perSecond, int permits) {
    assertThat(play(alone(perSecond), permits(permits)).risk().refused())
        .isCloseTo(ReplayTest.erlangB(perSecond * MEAN, permits), within(0.006));
  }

  /**
   * A. K. Erlang's second formula: the share of calls that wait, and W + S of those, M/M/c in turn.
   */
  private static double beyond(double perSecond, int servers, double time) {
    double erlangs = perSecond * MEAN;
    double lost = ReplayTest.erlangB(erlangs, servers);
    double waits = servers * lost / (servers - erlangs * (1 - lost));
    double leaving = servers / MEAN - perSecond;
    double mu = 1 / MEAN;
    double alone = Math.exp(-mu * time);
    return alone + waits * mu / (mu - leaving) * (Math.exp(-leaving * time) - alone);
  }

  @ParameterizedTest
  @CsvSource({"90, 6, 0.3", "100, 7, 0.25", "300, 18, 0.2"})
  void simulation_withAQueueAndATimeout_isWhatErlangsDelayFormulaSays(
      double perSecond, int threads, double timeout) {
    Limits limits =
        new Limits(Duration.ofMillis((long) (timeout * 1_000)), threads, 10_000, threads);

    // calls that give up waiting make room, so it may be a little less
    assertThat(play(alone(perSecond), limits).risk().timedOut())
        .isCloseTo(beyond(perSecond, threads, timeout), within(0.012));
  }

  // the replay, which knows what was recorded only, against the simulation

  private enum Dependency {
    EXPONENTIAL,
    SLOW_TAIL,
    STEADY
  }

  private DoubleSupplier of(Dependency kind) {
    return switch (kind) {
      case EXPONENTIAL -> () -> exponential(MEAN);
      case SLOW_TAIL -> () -> random.nextDouble() < 0.99 ? exponential(0.02) : exponential(1);
      case STEADY -> () -> MEAN;
    };
  }

  @ParameterizedTest
  @EnumSource
  void replay_ofWhatWasRecorded_givesTheSharesOfOtherLimits(Dependency kind) {
    Simulation recorded = play(alone(100), of(kind), permits(1_000));

    for (Limits limits :
        List.of(
            Limits.ofPermits(Duration.ofMillis(100), 5),
            new Limits(Duration.ofMillis(200), 5, 5, 5),
            new Limits(Duration.ofMillis(150), 4, 4, 8),
            new Limits(Duration.ofMillis(500), 10, 20, 10))) {
      Risk foretold = Replay.of(recorded.latencies(), recorded.perSecond(), limits);
      Risk came = play(alone(100), of(kind), limits).risk();

      assertThat(foretold.refused()).as("%s", limits).isCloseTo(came.refused(), within(0.015));
      assertThat(foretold.timedOut()).as("%s", limits).isCloseTo(came.timedOut(), within(0.015));
    }
  }

  @ParameterizedTest
  @CsvSource({"4, 10", "8, 10", "20, 30", "100, 60"})
  void groups_areFoundByWhatIsRefused(int size, int permits) {
    Limits present = permits(permits);
    Observation seen = play(groups(100, size), present).seen(present);

    assertThat(Traffic.of(seen).group()).isBetween(size * 3 / 4, size * 4 / 3);
  }

  @Test
  void callsThatComeOneByOne_areNoBurst() {
    for (int permits : List.of(2, 5, 10, 200)) {
      Observation seen = play(alone(100), permits(permits)).seen(permits(permits));

      assertThat(Traffic.of(seen).burst()).as("%d permits", permits).isNull();
    }
  }

  // the advice

  private void isAsForetold(Advice advice, Risk came) {
    assertThat(advice.proposed()).isNotNull();
    assertThat(came.timedOut()).isCloseTo(advice.proposed().timedOut(), within(0.003));
    assertThat(came.refused()).isCloseTo(advice.proposed().refused(), within(0.003));
  }

  @Test
  void advice_onQueueWithATimeout_givesTheShareThatMayBeCutOffAndRefusesNone() {
    Limits present = new Limits(Duration.ofSeconds(1), 4, 0, 4);
    Advice advice = Counsel.on(play(alone(100), present).seen(present));

    Limits wanted = taken(advice, present);
    Risk came = play(alone(100), wanted).risk();

    // M/M/c: Little's law at p99 makes 24 of these, where 5 are at work; 0.5 % last beyond p99.5
    assertThat(wanted.core()).isBetween(22, 26);
    isAsForetold(advice, came);
    assertThat(came.refused()).isLessThan(0.001);
    assertThat(came.timedOut()).isBetween(0.003, 0.007);
    assertThat(advice.warnings()).isEmpty();
  }

  @Test
  void advice_onASlowTail_isAsForetold() {
    // 0.3 % hang for 2 s: at 100 a second six threads in ten hold one of them
    DoubleSupplier work = () -> random.nextDouble() < 0.997 ? exponential(0.005) : 2;
    Limits present = new Limits(Duration.ofSeconds(3), 1, 0, 1);
    Advice advice = Counsel.on(play(alone(100), work, present).seen(present));

    Limits wanted = taken(advice, present);

    assertThat(wanted.timeout()).isLessThan(Duration.ofMillis(50));
    assertThat(wanted.core()).isBetween(3, 8);
    isAsForetold(advice, play(alone(100), work, wanted).risk());
  }

  @Test
  void advice_onBursts_isForTheBursts_andNotForTheMean() {
    Limits present = new Limits(Duration.ofMillis(265), 20, 0, 20);
    Simulation before = play(firstTenths(100), present);
    Advice advice = Counsel.on(before.seen(present));

    Limits wanted = taken(advice, present);
    Limits byTheMean = new Limits(present.timeout(), 24, 0, 30); // five at work in the mean

    // a hundred calls come within 0.1 s of each second, and some forty are at work then
    assertThat(before.risk().refused()).isGreaterThan(0.3);
    assertThat(play(firstTenths(100), byTheMean).risk().refused()).isGreaterThan(0.15);
    assertThat(play(firstTenths(100), wanted).risk().refused()).isLessThan(0.005);
    assertThat(wanted.maximum()).isLessThan(200);
    assertThat(advice.warnings())
        .singleElement()
        .satisfies(said -> assertThat(said).startsWith("calls come in bursts, reckoned with as "));
  }

  @Test
  void advice_onALargePoolThatBurstsFill_keepsRoomForThem() {
    Limits present = new Limits(Duration.ofMillis(265), 400, 0, 400);
    Simulation before = play(groups(100, 100), present);
    Advice advice = Counsel.on(before.seen(present));

    Limits wanted = taken(advice, present);

    assertThat(before.risk().refused()).isLessThan(0.001);
    assertThat(wanted.maximum() + wanted.queue()).isGreaterThanOrEqualTo(before.most());
    assertThat(play(groups(100, 100), wanted).risk().refused()).isLessThan(0.002);
  }

  @Test
  void advice_thatWasTaken_isGivenNoSecondTime() {
    for (DoubleSupplier gaps : List.of(alone(100), groups(100, 8), firstTenths(100))) {
      Limits present = new Limits(Duration.ofSeconds(1), 8, 0, 8);
      Limits wanted = taken(Counsel.on(play(gaps, present).seen(present)), present);

      Advice again = Counsel.on(play(gaps, wanted).seen(wanted));

      assertThat(taken(again, wanted).maximum())
          .as("%s", again)
          .isBetween(wanted.maximum() / 2, wanted.maximum() * 2);
      assertThat(again.proposed() == null ? 0 : again.proposed().refused()).isLessThan(0.002);
    }
  }
}
