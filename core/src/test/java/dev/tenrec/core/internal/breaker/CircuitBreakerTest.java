// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.breaker;

import static dev.tenrec.metrics.view.CircuitState.CLOSED;
import static dev.tenrec.metrics.view.CircuitState.HALF_OPEN;
import static dev.tenrec.metrics.view.CircuitState.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.breaker.BreakerRules;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.breaker.TransitionReason;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.view.CircuitState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {

  private static final HealthSnapshot BAD = new HealthSnapshot(20, 10, 0);
  private static final Instant START = Instant.parse("2026-11-21T08:00:00Z");

  /**
   * Sleep window 5,000, one trial, lease 1,000; the start is negative, as a ticker's reading may
   * be.
   */
  private static final BreakerRules ONE_TRIAL = new BreakerRules(20, 50, 5_000, 1, 1_000);

  private final Recorder recorder = new Recorder();
  private long now = -3_000;
  private final CircuitBreaker breaker =
      new CircuitBreaker("GetQuote", ONE_TRIAL, now, () -> START.plusNanos(now + 3_000), recorder);

  @Test
  void admit_initially_letsThroughWithoutAnObjectOfItsOwn() {
    assertThat(breaker.state()).isEqualTo(CLOSED);
    assertThat(breaker.admit(now))
        .isNotNull()
        .isSameAs(breaker.admit(now))
        .isSameAs(breaker.unrefused());
  }

  @Test
  void look_atBothThresholds_trips() {
    look(new HealthSnapshot(20, 10, 0));
    assertThat(breaker.state()).isEqualTo(OPEN);
    assertThat(breaker.admit(now)).isInstanceOf(Refused.class);
  }

  @Test
  void look_belowVolume_staysClosed() {
    look(new HealthSnapshot(19, 19, 0));
    assertThat(breaker.state()).isEqualTo(CLOSED);
  }

  @Test
  void look_belowPercentage_staysClosed() {
    look(new HealthSnapshot(1_000, 499, 0));
    assertThat(breaker.state()).isEqualTo(CLOSED);
  }

  @Test
  void look_percentageIsTruncated() {
    breaker.rules(new BreakerRules(3, 67, 5_000, 1, 1_000));
    look(new HealthSnapshot(3, 2, 0));
    assertThat(breaker.state()).isEqualTo(CLOSED);
    breaker.rules(new BreakerRules(3, 66, 5_000, 1, 1_000));
    look(new HealthSnapshot(3, 2, 0));
    assertThat(breaker.state()).isEqualTo(OPEN);
  }

  @Test
  void look_slowCallsCountAsTrouble() {
    look(new HealthSnapshot(20, 4, 6));
    assertThat(breaker.state()).isEqualTo(OPEN);
  }

  @Test
  void look_withoutAnyCall_neverTrips() {
    breaker.rules(new BreakerRules(0, 0, 5_000, 1, 1_000));
    look(HealthSnapshot.EMPTY);
    assertThat(breaker.state()).isEqualTo(CLOSED);
  }

  @Test
  void look_withNumbersFromBeforeTheClose_doesNotTripAgain() {
    Permission seenBefore = breaker.unrefused();
    trip();
    Permission seenWhileOpen = breaker.unrefused();
    closeByTrial();
    breaker.evaluate(seenBefore, BAD, now);
    breaker.evaluate(seenWhileOpen, BAD, now);
    assertThat(breaker.state()).isEqualTo(CLOSED);
    look(BAD);
    assertThat(breaker.state()).isEqualTo(OPEN);
  }

  @Test
  void look_withGoodNumbers_neverClosesAnOpenCircuit() {
    trip();
    look(new HealthSnapshot(0, 0, 0));
    look(new HealthSnapshot(100, 0, 0));
    assertThat(breaker.state()).isEqualTo(OPEN);
  }

  @Test
  void look_whileOpen_doesNotProlongTheSleep() {
    trip();
    now += 4_999;
    look(BAD);
    now += 1;
    assertThat(breaker.admit(now)).isNotInstanceOf(Refused.class);
  }

  @Test
  void admit_whileAsleep_refusesUntilTheWindowHasElapsed() {
    trip();
    now += 4_999;
    assertThat(breaker.admit(now)).isInstanceOf(Refused.class);
    now += 1;
    assertThat(breaker.admit(now)).isNotInstanceOf(Refused.class);
    assertThat(breaker.state()).isEqualTo(HALF_OPEN);
  }

  @Test
  void admit_acrossTheWrapOfTheClock_comparesDifferences() {
    long nearTheEnd = Long.MAX_VALUE - 10;
    CircuitBreaker wrapping =
        new CircuitBreaker("W", ONE_TRIAL, nearTheEnd, () -> START, TransitionListener.NONE);
    wrapping.evaluate(wrapping.unrefused(), BAD, nearTheEnd);
    assertThat(wrapping.admit(nearTheEnd + 4_999)).isInstanceOf(Refused.class);
    assertThat(wrapping.admit(nearTheEnd + 5_000)).isNotInstanceOf(Refused.class);
    assertThat(wrapping.admit(nearTheEnd + 5_999)).isInstanceOf(Refused.class);
    assertThat(wrapping.admit(nearTheEnd + 6_000)).isNotInstanceOf(Refused.class);
  }

  @Test
  void admit_withAReadingOlderThanTheOpening_refuses() {
    trip();
    assertThat(breaker.admit(now - 10_000)).isInstanceOf(Refused.class);
  }

  @Test
  void admit_duringATrial_refusesOthers() {
    trialAfterTrip();
    assertThat(breaker.admit(now + 999)).isInstanceOf(Refused.class);
    assertThat(breaker.state()).isEqualTo(HALF_OPEN);
  }

  @Test
  void succeeded_trial_closes() {
    Permission trial = trialAfterTrip();
    breaker.succeeded(trial, now);
    assertThat(breaker.state()).isEqualTo(CLOSED);
    assertThat(breaker.admit(now)).isNotInstanceOf(Refused.class);
    assertThat(breaker.isCurrent(trial)).isFalse();
  }

  @Test
  void failed_trial_opensAgainAndSleepsFromTheFailure() {
    Permission trial = trialAfterTrip();
    now += 700;
    breaker.failed(trial, now);
    assertThat(breaker.state()).isEqualTo(OPEN);
    assertThat(breaker.admit(now + 4_999)).isInstanceOf(Refused.class);
    assertThat(breaker.admit(now + 5_000)).isNotInstanceOf(Refused.class);
  }

  @Test
  void failed_trials_openAgainAsOftenAsTheyFail() {
    trip();
    for (int i = 0; i < 10; i++) {
      now += 5_000;
      breaker.failed(breaker.admit(now), now);
      assertThat(breaker.state()).isEqualTo(OPEN);
    }
    closeByTrial();
    assertThat(breaker.state()).isEqualTo(CLOSED);
  }

  @Test
  void handedBack_trial_givesItsPlaceToTheNextCallAtOnce() {
    Permission trial = trialAfterTrip();
    breaker.released(trial, now);
    Permission next = breaker.admit(now);
    assertThat(next).isNotNull().isNotSameAs(trial);
    assertThat(breaker.admit(now)).isInstanceOf(Refused.class);
    breaker.succeeded(next, now);
    assertThat(breaker.state()).isEqualTo(CLOSED);
  }

  @Test
  void admit_whenATrialNeverEnds_givesItsPlaceAwayAfterTheLease() {
    trialAfterTrip();
    assertThat(breaker.admit(now + 999)).isInstanceOf(Refused.class);
    assertThat(breaker.admit(now + 1_000)).isNotInstanceOf(Refused.class);
    assertThat(breaker.admit(now + 1_000)).isInstanceOf(Refused.class);
    assertThat(breaker.admit(now + 2_000)).isNotInstanceOf(Refused.class);
  }

  @Test
  void succeeded_trialThatLostItsLease_closesItsOwnPeriod() {
    Permission lost = trialAfterTrip();
    now += 1_000;
    Permission next = breaker.admit(now);
    breaker.succeeded(lost, now);
    assertThat(breaker.state()).isEqualTo(CLOSED);
    breaker.failed(next, now);
    assertThat(breaker.state()).isEqualTo(CLOSED);
  }

  @Test
  void failed_trialThatLostItsLease_opensItsOwnPeriod() {
    Permission lost = trialAfterTrip();
    now += 1_000;
    Permission next = breaker.admit(now);
    breaker.failed(lost, now);
    assertThat(breaker.state()).isEqualTo(OPEN);
    breaker.succeeded(next, now);
    assertThat(breaker.state()).isEqualTo(OPEN);
  }

  @Test
  void handedBack_trialThatLostItsLease_doesNotFreeThePlaceOfItsSuccessor() {
    Permission lost = trialAfterTrip();
    now += 1_000;
    breaker.admit(now);
    breaker.released(lost, now);
    assertThat(breaker.admit(now)).isInstanceOf(Refused.class);
  }

  @Test
  void succeeded_expiredTrialNobodyReplaced_closes() {
    Permission trial = trialAfterTrip();
    breaker.succeeded(trial, now + 50_000);
    assertThat(breaker.state()).isEqualTo(CLOSED);
  }

  @Test
  void succeeded_trialOfAnOlderPeriod_changesNothing() {
    Permission old = trialAfterTrip();
    now += 1_000;
    breaker.failed(breaker.admit(now), now);
    breaker.succeeded(old, now);
    assertThat(breaker.state()).isEqualTo(OPEN);
    now += 5_000;
    breaker.admit(now);
    breaker.succeeded(old, now);
    breaker.failed(old, now);
    breaker.released(old, now);
    assertThat(breaker.state()).isEqualTo(HALF_OPEN);
    assertThat(breaker.admit(now)).isInstanceOf(Refused.class);
    assertThat(breaker.isCurrent(old)).isFalse();
  }

  @Test
  void results_ofCallsBegunBeforeTheTrip_changeNothing() {
    Permission before = breaker.admit(now);
    trip();
    assertThat(breaker.isCurrent(before)).isFalse();
    breaker.succeeded(before, now);
    assertThat(breaker.state()).isEqualTo(OPEN);
    now += 5_000;
    Permission trial = breaker.admit(now);
    breaker.succeeded(before, now);
    breaker.failed(before, now);
    breaker.released(before, now);
    assertThat(breaker.state()).isEqualTo(HALF_OPEN);
    assertThat(breaker.admit(now)).isInstanceOf(Refused.class);
    breaker.succeeded(trial, now);
    assertThat(breaker.state()).isEqualTo(CLOSED);
    assertThat(breaker.isCurrent(before)).isFalse();
    assertThat(breaker.isCurrent(breaker.admit(now))).isTrue();
  }

  @Test
  void results_ofShortCircuitedCallsDuringATrial_doNotDisturbIt() {
    Permission trial = trialAfterTrip();
    for (int i = 0; i < 3; i++) {
      assertThat(breaker.admit(now)).isInstanceOf(Refused.class);
      breaker.failed(Permission.UNGUARDED, now);
      breaker.succeeded(Permission.UNGUARDED, now);
      breaker.released(Permission.UNGUARDED, now);
    }
    assertThat(breaker.state()).isEqualTo(HALF_OPEN);
    breaker.succeeded(trial, now);
    assertThat(breaker.state()).isEqualTo(CLOSED);
  }

  @Test
  void unrefused_whileForcedClosed_looksOnUnderneath() {
    Permission forced = breaker.unrefused();
    breaker.evaluate(forced, BAD, now);
    assertThat(breaker.state()).isEqualTo(OPEN);
    assertThat(breaker.unrefused()).isSameAs(Permission.UNGUARDED);
    assertThat(breaker.isCurrent(Permission.UNGUARDED)).isTrue();
    now += 60_000;
    breaker.succeeded(breaker.unrefused(), now);
    assertThat(breaker.state()).isEqualTo(OPEN);
  }

  @Test
  void succeeded_threeTrialsNeeded_closesWithTheThird() {
    breaker.rules(new BreakerRules(20, 50, 5_000, 3, 1_000));
    trip();
    now += 5_000;
    Permission a = breaker.admit(now);
    Permission b = breaker.admit(now);
    Permission c = breaker.admit(now);
    assertThat(List.of(a, b, c)).doesNotHaveDuplicates();
    assertThat(breaker.admit(now)).isInstanceOf(Refused.class);
    breaker.succeeded(a, now);
    assertThat(breaker.admit(now)).as("two in flight and one success").isInstanceOf(Refused.class);
    breaker.released(b, now);
    Permission d = breaker.admit(now);
    assertThat(d).isNotNull();
    breaker.succeeded(c, now);
    assertThat(breaker.state()).isEqualTo(HALF_OPEN);
    breaker.succeeded(d, now);
    assertThat(breaker.state()).isEqualTo(CLOSED);
  }

  @Test
  void failed_oneOfThreeTrials_opensAgainAndTheOthersCountForNothing() {
    breaker.rules(new BreakerRules(20, 50, 5_000, 3, 1_000));
    trip();
    now += 5_000;
    Permission a = breaker.admit(now);
    Permission b = breaker.admit(now);
    Permission c = breaker.admit(now);
    breaker.succeeded(a, now);
    breaker.failed(b, now);
    breaker.succeeded(c, now);
    assertThat(breaker.state()).isEqualTo(OPEN);
    now += 5_000;
    breaker.succeeded(breaker.admit(now), now);
    assertThat(breaker.state())
        .as("the old period's success does not count in the new one")
        .isEqualTo(HALF_OPEN);
  }

  @Test
  void succeeded_twiceForOneTrial_countsOnce() {
    breaker.rules(new BreakerRules(20, 50, 5_000, 2, 1_000));
    Permission trial = trialAfterTrip();
    breaker.succeeded(trial, now);
    breaker.succeeded(trial, now);
    breaker.failed(trial, now);
    breaker.released(trial, now);
    assertThat(breaker.state()).isEqualTo(HALF_OPEN);
    Permission second = breaker.admit(now);
    assertThat(breaker.admit(now)).isInstanceOf(Refused.class);
    breaker.released(second, now);
    breaker.released(second, now);
    breaker.succeeded(second, now);
    assertThat(breaker.state()).isEqualTo(HALF_OPEN);
  }

  @Test
  void rules_fewerTrialsThanHaveSucceeded_closesWithTheNextCall() {
    breaker.rules(new BreakerRules(20, 50, 5_000, 5, 1_000));
    trip();
    now += 5_000;
    breaker.succeeded(breaker.admit(now), now);
    breaker.succeeded(breaker.admit(now), now);
    breaker.rules(ONE_TRIAL);
    assertThat(breaker.admit(now)).isNotInstanceOf(Refused.class);
    assertThat(breaker.state()).isEqualTo(CLOSED);
  }

  @Test
  void rules_fewerTrialsThanAreInFlight_waitsForTheirEndsOrLeases() {
    breaker.rules(new BreakerRules(20, 50, 5_000, 3, 1_000));
    trip();
    now += 5_000;
    breaker.admit(now);
    breaker.admit(now);
    breaker.admit(now);
    breaker.rules(ONE_TRIAL);
    assertThat(breaker.admit(now + 999)).isInstanceOf(Refused.class);
    assertThat(breaker.admit(now + 1_000)).isNotInstanceOf(Refused.class);
    assertThat(breaker.admit(now + 1_000)).as("one place, not three").isInstanceOf(Refused.class);
  }

  @Test
  void rules_moreTrials_makeRoomAtOnce() {
    trialAfterTrip();
    assertThat(breaker.admit(now)).isInstanceOf(Refused.class);
    breaker.rules(new BreakerRules(20, 50, 5_000, 2, 1_000));
    assertThat(breaker.admit(now)).isNotInstanceOf(Refused.class);
  }

  @Test
  void rules_shorterSleepWindow_holdsForTheOpenCircuit() {
    trip();
    now += 100;
    assertThat(breaker.admit(now)).isInstanceOf(Refused.class);
    breaker.rules(new BreakerRules(20, 50, 100, 1, 1_000));
    assertThat(breaker.admit(now)).isNotInstanceOf(Refused.class);
  }

  @Test
  void listener_hearsEachTransitionOnceWithReasonNumbersAndRules() {
    trip();
    now += 5_000;
    breaker.failed(breaker.admit(now), now);
    closeByTrial();
    assertThat(recorder.heard)
        .extracting(Transition::reason)
        .containsExactly(
            TransitionReason.THRESHOLD_REACHED,
            TransitionReason.SLEEP_WINDOW_OVER,
            TransitionReason.TRIAL_FAILED,
            TransitionReason.SLEEP_WINDOW_OVER,
            TransitionReason.TRIALS_SUCCEEDED);
    assertThat(recorder.heard).extracting(Transition::number).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(breaker.journal()).isEqualTo(recorder.heard);
    assertThat(recorder.heard.get(0))
        .isEqualTo(
            new Transition(
                1, CLOSED, OPEN, 0, START, TransitionReason.THRESHOLD_REACHED, BAD, ONE_TRIAL));
    assertThat(recorder.heard.get(2).sinceCreationNanos()).isEqualTo(5_000);
    assertThat(recorder.heard.get(2).at()).isEqualTo(START.plusNanos(5_000));
    assertThat(recorder.heard.get(2).health()).isEqualTo(BAD);
  }

  @Test
  void explanations_ofOneTrip_haveItsNumbersUntilItCloses() {
    breaker.rules(new BreakerRules(20, 50, 5_000_000, 1, 1_000));
    trip();
    now += 5_000_000;
    breaker.failed(breaker.admit(now), now);
    now += 5_000_000;
    breaker.succeeded(breaker.admit(now), now);
    String trouble = "10 of 20 calls failed and 0 were slow (50 %; limit 50 % from 20 calls on)";
    assertThat(recorder.heard)
        .extracting(Transition::explanation)
        .containsExactly(
            trouble,
            "the sleep window of 5 ms is over, after " + trouble,
            "a trial failed or was slow, after " + trouble,
            "the sleep window of 5 ms is over, after " + trouble,
            "as many trials succeeded as needed (1)");
  }

  @Test
  void listener_isNotifiedBeforeTheClosedStateCanBeSeen() {
    trip();
    closeByTrial();
    assertThat(recorder.stateWhenClosing).containsExactly(HALF_OPEN);
  }

  @Test
  void listener_thatThrows_changesNothing() {
    recorder.failing = true;
    trip();
    assertThat(breaker.state()).isEqualTo(OPEN);
    closeByTrial();
    assertThat(breaker.state()).isEqualTo(CLOSED);
  }

  @Test
  void journal_keepsTheLastSixteen() {
    for (int i = 0; i < 7; i++) {
      trip();
      closeByTrial();
    }
    assertThat(breaker.journal()).hasSize(16);
    assertThat(breaker.journal())
        .extracting(Transition::number)
        .startsWith(6L)
        .endsWith(21L)
        .isSorted();
  }

  @Test
  void refusal_isOneExceptionForEachOpening() {
    trip();
    CircuitOpenException first = refusal();
    now += 5_000;
    Permission trial = breaker.admit(now);
    assertThat(refusal()).as("while the trial is out").isSameAs(first);
    breaker.failed(trial, now);
    assertThat(refusal()).as("of the next opening").isNotSameAs(first).isSameAs(refusal());
  }

  @Test
  void refusal_saysKeyCountsLimitsAndTimes() {
    breaker.rules(new BreakerRules(20, 50, 5_000_000_000L, 1, 1_000));
    look(new HealthSnapshot(40, 18, 4));
    CircuitOpenException refusal = refusal();
    assertThat(refusal)
        .hasMessage(
            "GetQuote: circuit open: 18 of 40 calls failed and 4 were slow (55 %; limit 50 % from"
                + " 20 calls on); since 2026-11-21T08:00:00Z, trials from 2026-11-21T08:00:05Z");
    assertThat(refusal.commandKey()).isEqualTo("GetQuote");
    assertThat(refusal.openSince()).isEqualTo(START);
    assertThat(refusal.retryAfter()).isEqualTo(START.plusSeconds(5));
  }

  @Test
  void refusal_afterRejections_distinguishesThemFromFailures() {
    look(new HealthSnapshot(40, 30, 0, 28));
    assertThat(refusal().reason())
        .startsWith("30 of 40 calls failed (28 of them rejected) and 0 were slow (75 %;");
  }

  @Test
  void refusal_withAnEndlessSleepWindow_promisesNoTrial() {
    breaker.rules(new BreakerRules(20, 50, Long.MAX_VALUE, 1, 1_000));
    trip();
    assertThat(refusal().retryAfter()).isAfter(START.plusSeconds(3_600));
    assertThat(breaker.admit(now + 1_000_000_000_000L)).isInstanceOf(Refused.class);
  }

  @Test
  void refusal_openedAtTheEndOfTime_promisesNoTrial() {
    CircuitBreaker late =
        new CircuitBreaker(
            "Late", ONE_TRIAL, now, () -> Instant.MAX.minusNanos(4_999), TransitionListener.NONE);
    late.evaluate(late.unrefused(), BAD, now);
    assertThat(late.nextTrialAt()).isNull();

    CircuitBreaker inTime =
        new CircuitBreaker(
            "InTime", ONE_TRIAL, now, () -> Instant.MAX.minusNanos(5_000), TransitionListener.NONE);
    inTime.evaluate(inTime.unrefused(), BAD, now);
    assertThat(inTime.nextTrialAt()).isEqualTo(Instant.MAX);
  }

  @Test
  void nextTrialAt_inEachState_isKnownWhileOpen_byTheSleepWindowInForce() {
    assertThat(breaker.nextTrialAt()).as("closed").isNull();
    trip();
    assertThat(breaker.nextTrialAt()).as("open").isEqualTo(refusal().retryAfter());
    breaker.rules(new BreakerRules(20, 50, 8_000, 1, 1_000));
    assertThat(breaker.nextTrialAt()).as("longer").isEqualTo(START.plusNanos(8_000));
    now += 7_999;
    assertThat(breaker.admit(now)).isInstanceOf(Refused.class);
    now++;
    breaker.admit(now);
    assertThat(breaker.nextTrialAt()).as("half-open").isNull();
  }

  @Test
  void wouldAdmit_inEachState_saysWhatACallMeetsAndChangesNothing() {
    breaker.rules(new BreakerRules(20, 50, 5_000, 2, 1_000));
    assertThat(breaker.wouldAdmit(now)).as("closed").isTrue();
    trip();
    now += 4_999;
    assertThat(breaker.wouldAdmit(now)).as("asleep").isFalse();
    now++;
    assertThat(breaker.wouldAdmit(now)).as("after the window").isTrue();
    assertThat(breaker.state()).as("asked only").isEqualTo(OPEN);
    breaker.admit(now);
    assertThat(breaker.wouldAdmit(now)).as("room for a second trial").isTrue();
    breaker.admit(now);
    assertThat(breaker.wouldAdmit(now)).as("full of trials").isFalse();
    now += 1_000;
    assertThat(breaker.wouldAdmit(now)).as("after the lease").isTrue();
    assertThat(breaker.state()).isEqualTo(HALF_OPEN);
  }

  @Test
  void isClosed_inEachState_isTrueInOne() {
    assertThat(breaker.isClosed()).isTrue();
    trip();
    assertThat(breaker.isClosed()).as("open").isFalse();
    now += 5_000;
    breaker.admit(now);
    assertThat(breaker.isClosed()).as("half-open").isFalse();
  }

  @Test
  void isTrial_forEachPermission_isTrueForThoseOfHalfOpenCircuits() {
    assertThat(CircuitBreaker.isTrial(breaker.admit(now))).as("closed").isFalse();
    assertThat(CircuitBreaker.isTrial(Permission.UNGUARDED)).as("unguarded").isFalse();
    Permission trial = trialAfterTrip();
    assertThat(CircuitBreaker.isTrial(trial)).isTrue();
    assertThat(CircuitBreaker.isTrial(breaker.admit(now))).as("refused").isFalse();
    breaker.succeeded(trial, now);
    assertThat(CircuitBreaker.isTrial(trial)).as("past").isTrue();
  }

  @Test
  void isCurrent_aTrialOfThePresentPeriod_isTrue() {
    Permission trial = trialAfterTrip();
    assertThat(breaker.isCurrent(trial)).isTrue();
    assertThat(breaker.isUndisturbed(trial)).isFalse();
    breaker.failed(trial, now);
    assertThat(breaker.isCurrent(trial)).isFalse();
  }

  @Test
  void isUndisturbed_onlyInTheClosedStateOfItsBeginning() {
    Permission before = breaker.admit(now);
    assertThat(breaker.isUndisturbed(before)).isTrue();
    trip();
    assertThat(breaker.isUndisturbed(before)).isFalse();
    closeByTrial();
    assertThat(breaker.isUndisturbed(before)).as("closed again").isFalse();
  }

  @Test
  void closeByHand_whileClosed_changesNothing() {
    assertThat(breaker.closeByHand("in vain", now)).isFalse();
    assertThat(recorder.heard).isEmpty();
    assertThat(recorder.stateWhenClosing).isEmpty();
  }

  @Test
  void closeByHand_whileOpen_closesWithTheNumbersThatTripped() {
    trip();
    now += 10;
    assertThat(breaker.closeByHand("known to be up", now)).isTrue();
    assertThat(breaker.state()).isEqualTo(CLOSED);
    assertThat(breaker.admit(now)).isNotInstanceOf(Refused.class);
    Transition closing = breaker.journal().get(1);
    assertThat(closing.reason()).isEqualTo(TransitionReason.CLOSED_BY_HAND);
    assertThat(closing.health()).isEqualTo(BAD);
    assertThat(closing.from()).isEqualTo(OPEN);
    assertThat(closing.explanation()).contains("known to be up");
    assertThat(recorder.stateWhenClosing).containsExactly(OPEN);
  }

  @Test
  void closeByHand_duringATrial_closesAndTheTrialCountsForNothing() {
    Permission trial = trialAfterTrip();
    assertThat(breaker.closeByHand("known to be up", now)).isTrue();
    assertThat(breaker.journal().get(2).health()).isEqualTo(BAD);
    assertThat(breaker.journal().get(2).from()).isEqualTo(HALF_OPEN);
    breaker.failed(trial, now);
    assertThat(breaker.state()).isEqualTo(CLOSED);
  }

  private CircuitOpenException refusal() {
    Permission answer = breaker.admit(now);
    assertThat(answer).isInstanceOf(Refused.class);
    return ((Refused) answer).why();
  }

  private void look(HealthSnapshot health) {
    breaker.evaluate(breaker.unrefused(), health, now);
  }

  private void trip() {
    look(BAD);
  }

  private Permission trialAfterTrip() {
    trip();
    now += 5_000;
    Permission trial = breaker.admit(now);
    assertThat(trial).isNotNull();
    return trial;
  }

  private void closeByTrial() {
    now += 5_000;
    breaker.succeeded(breaker.admit(now), now);
  }

  private final class Recorder implements TransitionListener {

    final List<Transition> heard = new ArrayList<>();
    final List<CircuitState> stateWhenClosing = new ArrayList<>();
    boolean failing;

    @Override
    public void closing() {
      stateWhenClosing.add(breaker.state());
      failIfAsked();
    }

    @Override
    public void changed(Transition transition) {
      assertThat(breaker.state()).isEqualTo(transition.to());
      heard.add(transition);
      failIfAsked();
    }

    private void failIfAsked() {
      if (failing) {
        throw new IllegalStateException("a listener that fails on purpose");
      }
    }
  }
}
