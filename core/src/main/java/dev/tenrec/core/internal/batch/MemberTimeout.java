// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.internal.collapser.Member;
import dev.tenrec.core.internal.timeout.Timeout;
import dev.tenrec.core.outcome.CommandTimeoutException;

/**
 * The deadline of the call that a member of a batch was made in: the member ends by it, and its
 * batch goes on for the others. Made only for a member that has such a deadline.
 */
final class MemberTimeout extends Timeout {

  private final CollapserRuntime runtime;
  private final Member<?> member;
  private final long startNanos;

  MemberTimeout(CollapserRuntime runtime, Member<?> member, long startNanos, long deadlineNanos) {
    super(deadlineNanos);
    this.runtime = runtime;
    this.member = member;
    this.startNanos = startNanos;
  }

  @Override
  protected boolean isEnded() {
    return member.isSettled();
  }

  /** What is left to do for a member that has expired, as often as it takes. */
  private static final class Leaving extends CallbackTask {

    private final Member<?> member;
    private final CommandTimeoutException late;

    /** Written and read by the threads that run this, one after the other. */
    private boolean left;

    private Leaving(Member<?> member, CommandTimeoutException late) {
      this.member = member;
      this.late = late;
    }

    @Override
    protected void run() {
      if (left) {
        member.receiveLate(late);
      } else {
        left = true;
        member.leaveLate(late);
      }
    }

    /** Where it throws, the member has not received the error, or receives it again. */
    @Override
    public boolean runsAgain() {
      return true;
    }
  }

  /** Takes memory before it settles anything: if there is none, the timer tries again. */
  @Override
  protected void expired() {
    CommandTimeoutException late = runtime.late(startNanos, deadlineNanos(), member.workBegan());
    CallbackTask leaving = new Leaving(member, late);
    if (member.expire(late)) {
      runtime.command.callbacks().execute(leaving);
    }
  }
}
