// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.ExecutionState;
import dev.tenrec.metrics.event.EventType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A hedged call whose attempts a test begins and ends, in the place of the threads that would. It
 * has no deadline.
 */
final class HandMadeCall {

  final Execution<String, String> whole;
  final HedgedCall<String, String> call;

  /**
   * It is launched, and has no attempt.
   *
   * @param pattern of whose command it is
   */
  HandMadeCall(HedgedAttempt<String, String> pattern) {
    whole = new Execution<>(pattern.pipeline, pattern.plan, "x", null, false, 0);
    call = new HedgedCall<>(pattern.call.hedges, whole, pattern.call.delayNanos, 4);
    whole.share = call;
    assertThat(whole.launch()).isTrue();
  }

  /** The first attempt, or one more beside it, that is under way; its work does not run. */
  HedgedAttempt<String, String> begin() {
    int begun = call.begun();
    HedgedAttempt<String, String> next = new HedgedAttempt<>(call, begun + 1, 1, 0);
    assertThat(begun == 0 ? call.addFirst(next) : call.add(next)).isTrue();
    return next;
  }

  /** It ends with that and counts it, and its owner has not told its call yet. */
  static void end(HedgedAttempt<String, String> attempt, EventType event, Throwable why) {
    assertThat(attempt.pipeline.abandonment.giveUp(attempt, event, why, false)).isTrue();
  }

  /** It fails, and its owner tells its call. Whether its round has ended with it. */
  static boolean fail(HedgedAttempt<String, String> attempt, EventType event, Throwable why) {
    end(attempt, event, why);
    return attempt.call.failed(attempt, event, why);
  }

  /**
   * It ends with that, and its owner is lost before it has counted it, which is where the call
   * would have been ended.
   *
   * @param why null for a success
   */
  static void endUncounted(
      HedgedAttempt<String, String> attempt, EventType event, @Nullable Throwable why) {
    decide(attempt, event, why);
    attempt.pipeline.completion.answerQuietly(attempt);
  }

  /** The ending is claimed, and it is known what that is. */
  static void decide(
      Execution<String, String> execution, EventType event, @Nullable Throwable why) {
    assertThat(execution.claim()).isNotEqualTo(ExecutionState.Claim.LOST);
    execution.decideAfterRetries(event, why == null ? "done" : null, why, false);
  }

  /** The call is ended by what is none of its attempts. */
  void endFromOutside(EventType event, Throwable why) {
    assertThat(whole.pipeline.abandonment.giveUp(whole, event, why, false)).isTrue();
  }

  @Nullable List<Throwable> failedAttempts() {
    return call.failedAttempts();
  }
}
