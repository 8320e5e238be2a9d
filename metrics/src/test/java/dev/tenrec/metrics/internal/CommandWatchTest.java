// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.metrics.event.EventCounts;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Ten seconds in ten buckets, from the moment 0 on; the health is looked at each half second, and
 * after 50 ms if there was an error.
 */
class CommandWatchTest {

  private static final long MS = Duration.ofMillis(1).toNanos();
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final CommandMetrics metrics =
      new CommandMetrics(
          new MetricsSettings(10 * SECOND, 10, true, 60 * SECOND, 6, 500 * MS), 0, () -> 0);

  @Test
  void isDueBeforeCall_withoutTrouble_isNever() {
    metrics.recordSuccess(1);
    assertThat(metrics.isDueBeforeCall(100 * SECOND)).isFalse();
    assertThat(metrics.lookAtHealth(100 * SECOND)).isNotNull();
    assertThat(metrics.isDueBeforeCall(200 * SECOND)).isFalse();
  }

  @Test
  void isDueBeforeCall_withTroubleThatNoLookHasSeen_isATenthOfTheIntervalLater() {
    metrics.count(EventType.FAILURE);
    assertThat(metrics.claimLook()).isTrue();

    assertThat(metrics.isDueBeforeCall(50 * MS - 1)).isFalse();
    assertThat(metrics.isDueBeforeCall(50 * MS)).isTrue();
    assertThat(metrics.lookBeforeCall(50 * MS)).isEqualTo(new HealthSnapshot(1, 1, 0));
    assertThat(metrics.isDueBeforeCall(100 * SECOND)).as("it has been seen").isFalse();
  }

  @Test
  void isDueBeforeCall_withTroubleInTheWindow_isAnIntervalLater() {
    metrics.count(EventType.FAILURE);
    assertThat(metrics.lookAtHealth(10 * MS)).isEqualTo(new HealthSnapshot(1, 1, 0));

    assertThat(metrics.isDueBeforeCall(510 * MS - 1)).isFalse();
    assertThat(metrics.isDueBeforeCall(510 * MS)).isTrue();
    assertThat(metrics.lookBeforeCall(510 * MS)).isEqualTo(new HealthSnapshot(1, 1, 0));
    assertThat(metrics.isDueBeforeCall(100 * SECOND)).as("an admission has looked").isFalse();
  }

  @Test
  void isDueBeforeCall_withSlowCallsInTheWindow_isAnIntervalLater() {
    metrics.recordSuccess(1);
    metrics.countSlow();
    assertThat(metrics.lookAtHealth(10 * MS)).isEqualTo(new HealthSnapshot(1, 0, 1));

    assertThat(metrics.isDueBeforeCall(510 * MS)).isTrue();
  }

  @Test
  void claimLook_whileArmed_armsNoSecondTime() {
    assertThat(metrics.isLookComing()).isFalse();
    assertThat(metrics.claimLook()).isTrue();
    assertThat(metrics.isLookComing()).isTrue();
    assertThat(metrics.claimLook()).isFalse();

    assertThat(metrics.disarm()).as("nothing has looked").isTrue();
    assertThat(metrics.isLookComing()).as("it stays marked").isTrue();
    assertThat(metrics.claimLook()).as("to be armed again").isTrue();
  }

  @Test
  void disarm_afterAnotherLook_hasNothingToSee() {
    assertThat(metrics.claimLook()).isTrue();
    assertThat(metrics.lookAtHealth(10 * MS)).isNotNull();

    assertThat(metrics.isLookComing()).isFalse();
    assertThat(metrics.claimLook()).as("armed still").isFalse();
    assertThat(metrics.lookAtHealth(20 * MS)).isNotNull();
    assertThat(metrics.disarm()).isFalse();
    assertThat(metrics.claimLook()).isTrue();
  }

  @Test
  void lookArmed_withTrouble_hasTheNextAdmissionLook() {
    metrics.count(EventType.FAILURE);
    assertThat(metrics.claimLook()).isTrue();

    assertThat(metrics.lookArmed(100 * MS)).isEqualTo(new HealthSnapshot(1, 1, 0));

    assertThat(metrics.isDueBeforeCall(100 * SECOND)).isTrue();
    assertThat(metrics.lookBeforeCall(300 * MS)).isEqualTo(new HealthSnapshot(1, 1, 0));
    assertThat(metrics.isDue(500 * MS)).as("the look of a call that ends, as before").isTrue();
  }

  @Test
  void armedLookNanos_comesAnIntervalAfterTheLastLookOrATenthFromNow() {
    assertThat(metrics.armedLookNanos(100 * MS)).isEqualTo(500 * MS);
    assertThat(metrics.armedLookNanos(450 * MS)).isEqualTo(500 * MS);
    assertThat(metrics.armedLookNanos(450 * MS + 1)).isEqualTo(500 * MS + 1);
    assertThat(metrics.armedLookNanos(3 * SECOND)).isEqualTo(3 * SECOND + 50 * MS);

    assertThat(metrics.lookAtHealth(3 * SECOND)).isNotNull();
    assertThat(metrics.armedLookNanos(3 * SECOND + 100 * MS)).isEqualTo(3 * SECOND + 500 * MS);
  }

  @Test
  void takeMissed_afterTheWindowMovedOnPastTrouble_isTheHealthThen_once() {
    metrics.recordSuccess(1);
    metrics.count(EventType.FAILURE, 3);
    assertThat(metrics.claimLook()).isTrue();
    metrics.roll(SECOND); // the bucket ends, and no look has seen the failures

    assertThat(metrics.lookAtHealth(SECOND)).isEqualTo(new HealthSnapshot(4, 3, 0));
    assertThat(metrics.takeMissed()).containsExactly(new HealthSnapshot(4, 3, 0));
    assertThat(metrics.takeMissed()).isEmpty();
  }

  @Test
  void takeMissed_ofSeveralBuckets_isTheWorst() {
    metrics.count(EventType.FAILURE, 3);
    assertThat(metrics.claimLook()).isTrue();
    metrics.roll(SECOND);
    metrics.recordSuccess(1);
    metrics.countSlow();
    metrics.roll(2 * SECOND); // 3 failures and a slow success
    metrics.roll(11 * SECOND); // the failures have left: the slow success alone

    assertThat(metrics.takeMissed()).containsExactly(new HealthSnapshot(4, 3, 1));
  }

  @Test
  void takeMissed_ofTwoAlike_isTheFirst() {
    metrics.count(EventType.FAILURE);
    assertThat(metrics.claimLook()).isTrue();
    metrics.roll(SECOND);
    metrics.roll(2 * SECOND);

    assertThat(metrics.takeMissed()).containsExactly(new HealthSnapshot(1, 1, 0));
  }

  @Test
  void takeMissed_ofAGreaterShareAndOfMoreCalls_hasBoth() {
    metrics.count(EventType.SUCCESS, 10);
    metrics.count(EventType.FAILURE, 10);
    assertThat(metrics.claimLook()).isTrue();
    metrics.counts(1_100 * MS);
    metrics.count(EventType.SUCCESS, 69);
    metrics.count(EventType.FAILURE, 11);
    metrics.counts(2_100 * MS);

    assertThat(metrics.takeMissed())
        .containsExactly(new HealthSnapshot(20, 10, 0), new HealthSnapshot(100, 21, 0));
  }

  @Test
  void takeMissed_ofOneThatOpensWhereTheOthersDo_isThatOne() {
    metrics.count(EventType.SUCCESS, 10);
    metrics.count(EventType.FAILURE, 10);
    assertThat(metrics.claimLook()).isTrue();
    metrics.counts(1_100 * MS); // 50 % of 20
    metrics.count(EventType.SUCCESS, 10);
    metrics.counts(2_100 * MS); // 33 % of 30
    metrics.count(EventType.FAILURE, 20);
    metrics.counts(3_100 * MS); // 60 % of 50
    metrics.counts(11_100 * MS); // the bucket of now ends at 12 s
    metrics.counts(12_100 * MS); // 100 % of 20: the others have left

    assertThat(metrics.takeMissed())
        .containsExactly(new HealthSnapshot(50, 30, 0), new HealthSnapshot(20, 20, 0));
  }

  @Test
  void takeMissed_withoutAMark_isNothing() {
    metrics.count(EventType.FAILURE, 3);
    metrics.roll(SECOND);

    assertThat(metrics.takeMissed()).isEmpty();
  }

  @Test
  void takeMissed_troubleLongerAgoThanTheWindow_isNothing() {
    metrics.count(EventType.FAILURE, 3);
    assertThat(metrics.claimLook()).isTrue();
    metrics.roll(11 * SECOND); // a window after the end of its bucket

    assertThat(metrics.takeMissed()).isEmpty();
  }

  @Test
  void takeMissed_troubleAWindowAgo_isForgottenAgain() {
    metrics.count(EventType.FAILURE, 3);
    assertThat(metrics.claimLook()).isTrue();
    metrics.roll(11 * SECOND - 1); // an instant less than a window after the end of its bucket
    metrics.roll(100 * SECOND);

    assertThat(metrics.takeMissed()).isEmpty();
  }

  @Test
  void restartHealth_withTrouble_forgetsItAndHasTheNextAdmissionLook() {
    metrics.count(EventType.FAILURE, 3);
    assertThat(metrics.claimLook()).isTrue();
    metrics.roll(SECOND);

    metrics.restartHealth(SECOND);

    assertThat(metrics.takeMissed()).isEmpty();
    assertThat(metrics.isLookComing()).isFalse();
    assertThat(metrics.isDueBeforeCall(100 * SECOND)).isTrue();
    assertThat(metrics.lookBeforeCall(SECOND)).isEqualTo(HealthSnapshot.EMPTY);
  }

  @Test
  void restartHealth_afterBuckets_closesThemFirst() {
    metrics.count(EventType.FAILURE, 3);
    metrics.restartHealth(5 * SECOND);

    assertThat(metrics.rollingCount(EventType.FAILURE, 10 * SECOND)).isZero();
    assertThat(metrics.cumulativeCount(EventType.FAILURE)).isEqualTo(3);
  }

  @Test
  void restartHealth_afterBuckets_countsInThePresentOne() {
    metrics.restartHealth(5 * SECOND + 500 * MS);
    metrics.count(EventType.FAILURE);

    assertThat(metrics.rollingCount(EventType.FAILURE, 12 * SECOND)).isEqualTo(1);
    assertThat(metrics.rollingCount(EventType.FAILURE, 15 * SECOND)).isZero();
  }

  @Test
  void restart_withEverything_beginsTheWindowsOnly() {
    metrics.recordSuccess(1);
    metrics.count(EventType.FAILURE, 3);
    assertThat(metrics.claimLook()).isTrue();
    metrics.roll(SECOND);

    metrics.restart(SECOND);

    assertThat(metrics.counts(SECOND).rolling()).hasToString("{}");
    assertThat(metrics.counts(SECOND).cumulative()).hasToString("{SUCCESS=1, FAILURE=3}");
    assertThat(metrics.health(SECOND)).isEqualTo(HealthSnapshot.EMPTY);
    assertThat(metrics.executionLatency(SECOND).count()).isZero();
    assertThat(metrics.callerLatency(SECOND).count()).isZero();
    assertThat(metrics.takeMissed()).isEmpty();
    assertThat(metrics.isLookComing()).isFalse();
    assertThat(metrics.isDueBeforeCall(100 * SECOND)).as("the next admission looks").isTrue();
    assertThat(metrics.totals(0).execution().count()).isEqualTo(1);
  }

  @Test
  void isDue_nextToTheWrapOfTheClock_isAtTheEarlierOfBoundaryAndInterval() {
    long start = Long.MAX_VALUE - 100 * MS; // the interval ends beyond the wrap
    CommandMetrics wrapping =
        new CommandMetrics(
            new MetricsSettings(SECOND, 10, true, 60 * SECOND, 6, 500 * MS), start, () -> 0);

    assertThat(wrapping.isDue(start + 100 * MS - 1)).isFalse();
    assertThat(wrapping.isDue(start + 100 * MS)).as("a bucket").isTrue();
    assertThat(wrapping.isDueAfterError(start + 50 * MS - 1)).isFalse();
    assertThat(wrapping.isDueAfterError(start + 50 * MS)).isTrue();
  }

  @Test
  void isDue_percentileBucketFirst_isAtItsBoundary() {
    CommandMetrics quick =
        new CommandMetrics(
            new MetricsSettings(10 * SECOND, 10, true, 600 * MS, 6, 500 * MS), 0, () -> 0);

    assertThat(quick.isDue(100 * MS - 1)).isFalse();
    assertThat(quick.isDue(100 * MS)).isTrue();
  }

  @Test
  void countPairs_ofCallsThatAreRefusedOrServed_areSeenAsTheirEvents() {
    metrics.countRefusedServed();
    metrics.countRefusedThrown();
    metrics.countFailedServed();

    EventCounts counts = metrics.counts(1).rolling();
    assertThat(counts.get(EventType.FAILURE)).isEqualTo(1);
    assertThat(counts.get(EventType.SHORT_CIRCUITED)).isEqualTo(2);
    assertThat(counts.get(EventType.FALLBACK_SUCCESS)).isEqualTo(2);
    assertThat(counts.get(EventType.FALLBACK_MISSING)).isEqualTo(1);
    assertThat(counts.get(EventType.EXCEPTION_THROWN)).isEqualTo(1);
    assertThat(metrics.health(1)).isEqualTo(new HealthSnapshot(1, 1, 0));
  }

  @Test
  void countStale_ofASuccess_takesNoErrorAndNoSlowCallAway() {
    metrics.count(EventType.FAILURE);
    metrics.recordSuccess(1);
    metrics.countSlow();
    metrics.recordSuccess(1);
    metrics.countStale(false, false);

    assertThat(metrics.health(1)).isEqualTo(new HealthSnapshot(2, 1, 1));
  }

  @Test
  void reserve_always_countsNothing() {
    metrics.reserve();
    metrics.reserve();

    assertThat(metrics.counts(1).cumulative()).hasToString("{}");
  }

  @Test
  void found_asManyErrorsAsSlowCalls_isTrouble() {
    metrics.count(EventType.FAILURE);
    metrics.recordSuccess(1);
    metrics.countSlow();
    assertThat(metrics.lookAtHealth(10 * MS)).isEqualTo(new HealthSnapshot(2, 1, 1));

    assertThat(metrics.isDueBeforeCall(510 * MS)).isTrue();
  }

  @Test
  void takeMissed_atTheEndOfABucket_hasTheWholeWindowOfThen() {
    metrics.count(EventType.FAILURE);
    assertThat(metrics.lookAtHealth(9 * SECOND)).isEqualTo(new HealthSnapshot(1, 1, 0));
    metrics.count(EventType.FAILURE);
    assertThat(metrics.claimLook()).isTrue();
    metrics.roll(10 * SECOND); // the window of now has lost the first one

    assertThat(metrics.takeMissed()).containsExactly(new HealthSnapshot(2, 2, 0));
  }

  @Test
  void lookAtHealth_andBeforeCalls_closeTheBucketsFirst() {
    CommandMetrics other =
        new CommandMetrics(
            new MetricsSettings(10 * SECOND, 10, true, 60 * SECOND, 6, 500 * MS), 0, () -> 0);
    metrics.count(EventType.FAILURE);
    other.count(EventType.FAILURE);

    assertThat(metrics.lookAtHealth(11 * SECOND)).isEqualTo(HealthSnapshot.EMPTY);
    assertThat(other.lookBeforeCall(11 * SECOND)).isEqualTo(HealthSnapshot.EMPTY);
  }

  @Test
  void roll_aBucketThatHasEnded_isDueAgainAtTheNext() {
    assertThat(metrics.lookAtHealth(900 * MS)).isNotNull();
    assertThat(metrics.isDue(SECOND)).isTrue();

    metrics.roll(SECOND);

    assertThat(metrics.isDue(SECOND)).isFalse();
    assertThat(metrics.isDue(1_400 * MS)).as("a look").isTrue();
  }
}
