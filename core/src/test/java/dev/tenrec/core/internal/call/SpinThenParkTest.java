// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tenrec.core.internal.gate.Plan;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a waiting caller looks before it sleeps. Who looks at an answered call sees that it is. */
class SpinThenParkTest {

  private static final long MILLI = 1_000_000;

  private final SpinThenPark brief = new SpinThenPark(0);
  private final Ended pending = new Ended();
  private final Ended answered = new Ended();

  @BeforeEach
  void answerOne() {
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "nobody looks on one processor");
    assertThat(answered.claim()).isEqualTo(ExecutionState.Claim.BEFORE_LAUNCH);
    answered.decided();
    assertThat(answered.publish()).isTrue();
  }

  @Test
  void first_looks() {
    assertThat(brief.look(answered, 0)).isTrue();
  }

  @Test
  void nothingCame_sleepsAtOnceForAMillisecond() {
    assertThat(brief.look(pending, 0)).isFalse();

    assertThat(brief.look(answered, MILLI - 1)).isFalse();
    assertThat(brief.look(answered, MILLI)).isTrue();
  }

  @Test
  void nothingCameAgain_sleepsTwiceAsLong_upTo64Milliseconds() {
    long now = 0;
    for (long pause = 1; pause <= 64; pause *= 2) {
      assertThat(brief.look(pending, now)).isFalse();
      assertThat(brief.look(answered, now + pause * MILLI - 1)).as("pause " + pause).isFalse();
      now += pause * MILLI;
    }
    assertThat(brief.look(pending, now)).isFalse();
    assertThat(brief.look(answered, now + 64 * MILLI - 1)).isFalse();
    assertThat(brief.look(answered, now + 64 * MILLI)).isTrue();
  }

  @Test
  void somethingCame_forgetsWhatWasLost() {
    assertThat(brief.look(pending, 0)).isFalse();
    assertThat(brief.look(pending, MILLI)).isFalse();
    assertThat(brief.look(answered, 3 * MILLI)).isTrue();

    assertThat(brief.look(pending, 3 * MILLI)).isFalse();
    assertThat(brief.look(answered, 4 * MILLI)).isTrue();
  }

  @Test
  void clockThatWraps_looks() {
    SpinThenPark late = new SpinThenPark(Long.MAX_VALUE);
    assertThat(late.look(pending, Long.MAX_VALUE)).isFalse();
    assertThat(late.look(answered, Long.MAX_VALUE + MILLI - 1)).isFalse();
    assertThat(late.look(answered, Long.MAX_VALUE + MILLI)).isTrue();
  }

  @Test
  void fallbackToRun_isSomethingToDo() {
    assertThat(pending.claim()).isEqualTo(ExecutionState.Claim.BEFORE_LAUNCH);
    assertThat(brief.look(pending, 0)).as("claimed, but not to be seen yet").isFalse();
    pending.decided();
    assertThat(brief.look(pending, MILLI)).as("decided, but not published").isFalse();
    assertThat(pending.openFallback()).isTrue();
    assertThat(brief.look(pending, 4 * MILLI)).isTrue();
  }

  /** A call without deadline. */
  private static final class Ended extends ExecutionState {
    Ended() {
      super(Plan.NEVER);
    }

    @Override
    protected void expired() {
      throw new AssertionError("no timer has it");
    }
  }
}
