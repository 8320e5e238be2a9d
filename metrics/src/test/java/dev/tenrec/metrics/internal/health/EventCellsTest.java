// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EventCellsTest {

  private static final Set<EventType> ERRORS =
      Set.of(
          EventType.FAILURE,
          EventType.TIMEOUT,
          EventType.THREAD_POOL_REJECTED,
          EventType.SEMAPHORE_REJECTED);

  private final int[] window = new int[EventCells.COUNT];

  @ParameterizedTest
  @EnumSource(EventType.class)
  void health_ofOneEvent_countsSuccessesAndErrorsOnly(EventType event) {
    window[event.ordinal()] = 3;
    boolean error = ERRORS.contains(event);
    assertThat(EventCells.health(window))
        .isEqualTo(
            new HealthSnapshot(
                error || event == EventType.SUCCESS ? 3 : 0,
                error ? 3 : 0,
                0,
                event.name().endsWith("_REJECTED") ? 3 : 0));
  }

  @Test
  void health_withRejectionsAmongTheErrors_saysHowMany() {
    window[EventType.SUCCESS.ordinal()] = 10;
    window[EventType.TIMEOUT.ordinal()] = 2;
    window[EventType.FAILURE.ordinal()] = 3;
    window[EventType.SEMAPHORE_REJECTED.ordinal()] = 4;
    window[EventType.THREAD_POOL_REJECTED.ordinal()] = 1;
    window[EventCells.STALE] = 2;
    window[EventCells.STALE_ERROR] = 2;
    assertThat(EventCells.health(window)).isEqualTo(new HealthSnapshot(18, 8, 0, 5));
  }

  @Test
  void health_withFewerFreshErrorsThanRejections_isNeverMore() {
    window[EventType.SUCCESS.ordinal()] = 1;
    window[EventType.SEMAPHORE_REJECTED.ordinal()] = 2;
    window[EventCells.STALE] = 1;
    window[EventCells.STALE_ERROR] = 1;
    assertThat(EventCells.health(window)).isEqualTo(new HealthSnapshot(2, 1, 0, 1));
  }

  @Test
  void health_withStaleResults_leavesThemOut() {
    window[EventType.SUCCESS.ordinal()] = 10;
    window[EventType.FAILURE.ordinal()] = 5;
    window[EventCells.SLOW] = 4;
    window[EventCells.STALE] = 6;
    window[EventCells.STALE_ERROR] = 2;
    window[EventCells.STALE_SLOW] = 3;
    assertThat(EventCells.health(window)).isEqualTo(new HealthSnapshot(9, 3, 1));
  }

  @Test
  void health_marksWithoutTheirResults_isNeverNegative() {
    window[EventCells.STALE] = 1;
    window[EventCells.STALE_ERROR] = 1;
    window[EventCells.STALE_SLOW] = 1;
    assertThat(EventCells.health(window)).isEqualTo(HealthSnapshot.EMPTY);
  }

  @Test
  void health_withMoreSlowCallsThanSuccesses_countsAsManyAsThose() {
    window[EventType.SUCCESS.ordinal()] = 1;
    window[EventType.FAILURE.ordinal()] = 2;
    window[EventCells.SLOW] = 2; // the success of one is in the bucket before
    assertThat(EventCells.health(window)).isEqualTo(new HealthSnapshot(3, 2, 1));
  }

  @Test
  void unfold_refusedByTheCircuit_isEachOfTheEventsItStandsFor() {
    window[EventCells.REFUSED_SERVED] = 3;
    window[EventCells.REFUSED_THROWN] = 2;
    window[EventType.FALLBACK_SUCCESS.ordinal()] = 10;

    EventCells.unfold(window);

    assertThat(window[EventType.SHORT_CIRCUITED.ordinal()]).isEqualTo(5);
    assertThat(window[EventType.FALLBACK_SUCCESS.ordinal()]).isEqualTo(13);
    assertThat(window[EventType.FALLBACK_MISSING.ordinal()]).isEqualTo(2);
    assertThat(window[EventType.EXCEPTION_THROWN.ordinal()]).isEqualTo(2);
    assertThat(EventCells.health(window)).isEqualTo(HealthSnapshot.EMPTY);
  }

  @Test
  void unfold_failedAndServed_isBothAndAnErrorOfTheHealth() {
    window[EventCells.FAILED_SERVED] = 4;
    window[EventType.FAILURE.ordinal()] = 1;

    EventCells.unfold(window);

    assertThat(window[EventType.FAILURE.ordinal()]).isEqualTo(5);
    assertThat(window[EventType.FALLBACK_SUCCESS.ordinal()]).isEqualTo(4);
    assertThat(EventCells.health(window)).isEqualTo(new HealthSnapshot(5, 5, 0));
  }

  @Test
  void health_wouldRefuse_isNoPartOfIt() {
    window[EventCells.WOULD_REFUSE] = 9;
    assertThat(EventCells.health(window)).isEqualTo(HealthSnapshot.EMPTY);
  }

  @Test
  void executions_areWhatCameToTheDependency_withoutFurtherAttempts() {
    window[EventType.SUCCESS.ordinal()] = 1_000;
    window[EventType.FAILURE.ordinal()] = 200;
    window[EventType.TIMEOUT.ordinal()] = 300;
    window[EventType.BAD_REQUEST.ordinal()] = 40;
    window[EventType.ATTEMPT_OUTRUN.ordinal()] = 5;
    window[EventType.THREAD_POOL_REJECTED.ordinal()] = 9;
    window[EventCells.SHARED] = 100;
    window[EventType.RETRY.ordinal()] = 30;
    window[EventType.HEDGE.ordinal()] = 2;
    assertThat(EventCells.executions(window)).isEqualTo(1_000 + 200 + 300 + 40 + 5 - 100 - 30 - 2);
  }

  @Test
  void executions_doNotShrinkByFurtherAttemptsThatWereNotExecuted() {
    window[EventType.SUCCESS.ordinal()] = 100;
    window[EventType.SEMAPHORE_REJECTED.ordinal()] = 12;
    window[EventType.RETRY.ordinal()] = 20;
    window[EventCells.FURTHER_NOT_EXECUTED] = 12;
    assertThat(EventCells.executions(window)).isEqualTo(100 - 20 + 12);
  }

  /** Their beginnings have left the window. */
  @Test
  void executions_doNotGrowByFurtherAttemptsThatEndWithoutHavingBegunHere() {
    window[EventType.SUCCESS.ordinal()] = 100;
    window[EventCells.FURTHER_NOT_EXECUTED] = 3;
    assertThat(EventCells.executions(window)).isEqualTo(100);
  }

  @Test
  void executions_furtherAttemptsWithoutTheirResults_areNeverNegative() {
    window[EventType.RETRY.ordinal()] = 1;
    assertThat(EventCells.executions(window)).isZero();
  }
}
