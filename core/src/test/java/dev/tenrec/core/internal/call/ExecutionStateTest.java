// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.internal.call.ExecutionState.Claim;
import dev.tenrec.core.internal.call.ExecutionState.FallbackClaim;
import dev.tenrec.core.internal.call.ExecutionState.Stop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each step of an execution, from each state that it may find. */
class ExecutionStateTest {

  private final Life life = new Life();

  private static final class Life extends ExecutionState {

    Life() {
      super(0);
    }

    @Override
    protected void expired() {}

    /** Whether the timer may forget it. */
    boolean needsNoTimer() {
      return isEnded();
    }

    Life launched() {
      assertThat(launch()).isTrue();
      return this;
    }

    Life begun(Thread worker) {
      assertThat(launched().begin(worker)).isTrue();
      return this;
    }

    Life claimed() {
      assertThat(claim()).isNotEqualTo(Claim.LOST);
      return this;
    }

    Life decidedNow() {
      claimed().decided();
      return this;
    }

    Life atFallback() {
      assertThat(decidedNow().openFallback()).isTrue();
      return this;
    }
  }

  /** Counts the interrupts that it gets. */
  private static final class Worker extends Thread {

    int interrupts;

    @Override
    public void interrupt() {
      interrupts++;
    }
  }

  @AfterEach
  void clearFlag() {
    boolean unused = Thread.interrupted();
  }

  @Test
  void launch_beforeAndAfterTheClaim_isGrantedAndRefused() {
    assertThat(life.isLaunched()).isFalse();
    assertThat(life.launched().isLaunched()).isTrue();
    assertThat(new Life().claimed().launch()).isFalse();
  }

  @Test
  void launch_ofWhatListenersKnowOf_isGranted() {
    assertThat(life.startBegins()).isTrue();
    assertThat(life.reportEnds()).isFalse();
    assertThat(life.launched().isStartReported()).isTrue();
    assertThat(life.begin(null)).isTrue();

    Life hit = new Life();
    hit.hitBegins();
    assertThat(hit.reportEnds()).isFalse();
    assertThat(hit.launched().isStartReported()).isFalse();
  }

  @Test
  void begin_beforeLaunchOrAfterTheClaim_isRefused() {
    assertThat(life.begin(null)).isFalse();
    assertThat(life.launched().claimed().begin(null)).isFalse();
    assertThat(life.hasBegun()).isFalse();
  }

  @Test
  void claim_fromEachState_saysWhereTheWorkIs() {
    assertThat(life.claim()).isEqualTo(Claim.BEFORE_LAUNCH);
    assertThat(life.claim()).isEqualTo(Claim.LOST);
    assertThat(new Life().launched().claim()).isEqualTo(Claim.BEFORE_WORK);
    assertThat(new Life().begun(new Worker()).claim()).isEqualTo(Claim.DURING_WORK);
    Life stopped = new Life().begun(new Worker());
    assertThat(stopped.stop()).isEqualTo(Stop.IN_TIME);
    assertThat(stopped.claim()).isEqualTo(Claim.AFTER_WORK);
  }

  @Test
  void stop_afterTheClaim_saysThatTheWorkWasAbandoned_once() {
    life.begun(new Worker());
    assertThat(life.isAbandonedRunning()).isFalse();
    life.claimed();
    assertThat(life.isAbandonedRunning()).isTrue();

    assertThat(life.stop()).isEqualTo(Stop.ABANDONED_RUNNING);

    assertThat(life.isAbandonedRunning()).isFalse();
    assertThat(life.hasStopped()).isTrue();
    assertThat(life.stop()).isEqualTo(Stop.AGAIN);
  }

  /** What the work has left behind may ask after that. */
  @Test
  void stop_afterTheClaim_leavesItAbandoned() {
    life.begun(new Worker());
    assertThat(life.wasAbandonedRunning()).isFalse();
    life.claimed();
    assertThat(life.wasAbandonedRunning()).isTrue();

    assertThat(life.stop()).isEqualTo(Stop.ABANDONED_RUNNING);

    assertThat(life.wasAbandonedRunning()).isTrue();
  }

  @Test
  void stop_beforeTheClaim_isNoAbandoning() {
    life.begun(new Worker());

    assertThat(life.stop()).isEqualTo(Stop.IN_TIME);

    assertThat(life.wasAbandonedRunning()).isFalse();
    life.claimed();
    assertThat(life.wasAbandonedRunning()).isFalse();
  }

  @Test
  void answer_ofADecidedEnding_isCountedOnceAndPublishedOnce() {
    assertThat(life.takeAccount()).isFalse();
    life.claimed();
    assertThat(life.takeAccount()).isFalse();
    assertThat(life.publish()).isFalse();
    assertThat(life.isUnpublished()).isFalse();
    life.decided();
    assertThat(life.isDecidedFirst() && life.isUnpublished()).isTrue();
    assertThat(life.isAccounted()).isFalse();

    assertThat(life.takeAccount()).isTrue();
    assertThat(life.takeAccount()).isFalse();
    assertThat(life.isAccounted()).isTrue();
    assertThat(life.publish()).isTrue();

    assertThat(life.isAnswered()).isTrue();
    assertThat(life.isUnpublished()).isFalse();
    assertThat(life.publish()).isFalse();
  }

  /** The thread that counts it is about to publish it. */
  @Test
  void ending_whoseAnswerIsCounted_isNeitherOpenedToAFallbackNorToAnAttempt() {
    life.decidedNow();
    assertThat(life.takeAccount()).isTrue();

    assertThat(life.openFallback()).isFalse();
    assertThat(life.openRetry()).isFalse();
    assertThat(life.isDecidedFirst()).isTrue();
  }

  @Test
  void openFallback_ofWhatIsNotDecidedOrDecidedFinally_isRefused() {
    assertThat(life.openFallback()).isFalse();
    assertThat(life.atFallback().isAtFallback()).isTrue();
    assertThat(life.openFallback()).isFalse();
    assertThat(life.isUnpublished()).isFalse();
    assertThat(life.claimFallback()).isEqualTo(FallbackClaim.IDLE);
    life.decidedFinally();

    assertThat(life.openFallback()).isFalse();
    assertThat(life.isDecidedFirst()).isFalse();
    assertThat(life.isUnpublished()).isTrue();
    assertThat(life.takeAccount()).isTrue();
    assertThat(life.publish()).isTrue();
  }

  @Test
  void fallback_thatIsGivenUpWhileItRuns_isBusyUntilItEnds() {
    assertThat(life.claimFallback()).isEqualTo(FallbackClaim.LOST);
    assertThat(life.fallbackBegins()).isFalse();
    assertThat(life.atFallback().fallbackBegins()).isTrue();
    assertThat(life.claimFallback()).isEqualTo(FallbackClaim.DURING_FALLBACK);
    assertThat(life.claimFallback()).isEqualTo(FallbackClaim.LOST);
    assertThat(life.fallbackEnds()).isTrue();

    Life inTime = new Life().atFallback();
    assertThat(inTime.fallbackBegins()).isTrue();
    assertThat(inTime.fallbackEnds()).isFalse();
    assertThat(inTime.claimFallback()).isEqualTo(FallbackClaim.IDLE);
    assertThat(inTime.fallbackBegins()).isFalse();
  }

  @Test
  void retry_ofADecidedEnding_isClaimedAgainOnce() {
    assertThat(life.openRetry()).isFalse();
    assertThat(life.claimRetry()).isFalse();
    assertThat(life.decidedNow().openRetry()).isTrue();
    assertThat(life.isRetrying()).isTrue();
    assertThat(life.openRetry()).isFalse();

    assertThat(life.claimRetry()).isTrue();
    assertThat(life.claimRetry()).isFalse();

    assertThat(life.isRetrying()).isFalse();
    life.decided();
    assertThat(life.isDecidedFirst()).isTrue();
  }

  @Test
  void retry_thatIsRefused_doesNotCome() {
    life.decidedNow();
    assertThat(life.isRetryRefused()).isFalse();

    life.refuseRetry();

    assertThat(life.isRetryRefused()).isTrue();
    assertThat(life.openRetry()).isFalse();
    assertThat(life.openFallback()).isTrue();
  }

  @Test
  void openAttempts_beforeAndAfterTheClaim_isGrantedAndRefused() {
    assertThat(life.openAttempts()).isTrue();
    assertThat(life.isRetrying() && life.isClaimed()).isTrue();
    assertThat(life.openAttempts()).isFalse();
    assertThat(new Life().claimed().openAttempts()).isFalse();
  }

  @Test
  void timer_isNeededUntilTheFallbackOrTheAnswer() {
    assertThat(life.needsNoTimer()).isFalse();
    assertThat(life.decidedNow().needsNoTimer()).isFalse();
    assertThat(life.openRetry()).isTrue();
    assertThat(life.needsNoTimer()).isFalse();
    assertThat(life.claimRetry()).isTrue();
    life.decided();
    assertThat(life.openFallback()).isTrue();
    assertThat(life.needsNoTimer()).isTrue();

    Life answered = new Life().decidedNow();
    assertThat(answered.publish()).isTrue();
    assertThat(answered.needsNoTimer()).isTrue();
  }

  @Test
  void interruptWork_onlyWhileAThreadOfOursIsAtIt_interruptsThat() {
    Worker worker = new Worker();
    life.interruptWork();
    assertThat(life.isOnInterruptibleThread()).isFalse();
    life.begun(worker);
    assertThat(life.isOnInterruptibleThread()).isTrue();
    assertThat(worker.interrupts).isZero();

    life.interruptWork();
    life.interruptWork();
    assertThat(worker.interrupts).isEqualTo(2);

    life.leaveThread();
    assertThat(life.isOnInterruptibleThread()).isFalse();
    assertThat(life.hasStopped()).isFalse();
    life.interruptWork();
    assertThat(worker.interrupts).isEqualTo(2);

    Life stopped = new Life().begun(worker);
    assertThat(stopped.stop()).isEqualTo(Stop.IN_TIME);
    stopped.interruptWork();
    assertThat(worker.interrupts).isEqualTo(2);
    assertThat(new Life().begun(null).isOnInterruptibleThread()).isFalse();
  }

  /** What the thread does next must not find it. */
  @Test
  void interrupt_thatWasForThisWork_isClearedAtItsEnd() {
    life.begun(Thread.currentThread());
    life.interruptWork();
    life.interruptWork();
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
    assertThat(life.stop()).isEqualTo(Stop.IN_TIME);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();

    Life stage = new Life().begun(Thread.currentThread());
    stage.interruptWork();
    stage.leaveThread();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void interrupt_thatWasNotForThisWork_isKeptAtItsEnd() {
    life.begun(Thread.currentThread());
    Thread.currentThread().interrupt();
    assertThat(life.stop()).isEqualTo(Stop.IN_TIME);
    assertThat(Thread.currentThread().isInterrupted()).isTrue();

    Life ofAnother = new Life().begun(new Worker());
    ofAnother.interruptWork();
    assertThat(ofAnother.stop()).isEqualTo(Stop.IN_TIME);
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }

  @Test
  void ending_thatComesDuringAReport_isReportedByTheLastReporter() {
    assertThat(life.startBegins()).isTrue();
    assertThat(life.reportBegins()).isTrue();
    assertThat(life.claimed().startBegins()).isFalse();
    assertThat(life.endingDue()).isFalse();
    assertThat(life.reportBegins()).isFalse();
    assertThat(life.reportEnds()).isFalse();
    assertThat(life.reportEnds()).isTrue();
  }

  @Test
  void ending_thatComesAfterTheReports_isReportedByItsThread() {
    assertThat(life.startBegins()).isTrue();
    assertThat(life.reportEnds()).isFalse();
    assertThat(life.endingDue()).isTrue();

    Life hit = new Life();
    hit.hitBegins();
    assertThat(hit.reportEnds()).isFalse();
    assertThat(hit.endingDue()).isTrue();

    assertThat(new Life().endingDue()).as("no listener knows of it").isFalse();
  }

  @Test
  void reports_areRemembered_thatOfTheThreadOnce() {
    assertThat(life.isStartReported() || life.isWorkReported() || life.isFallbackReported())
        .isFalse();
    assertThat(life.takeThreadReported()).isFalse();

    life.workReported();
    assertThat(life.isWorkReported()).isTrue();
    assertThat(life.isFallbackReported()).isFalse();
    life.fallbackReported();
    assertThat(life.isFallbackReported()).isTrue();
    life.threadReported();
    assertThat(life.takeThreadReported()).isTrue();
    assertThat(life.takeThreadReported()).isFalse();
    assertThat(life.isWorkReported() && life.isFallbackReported()).isTrue();
  }
}
