// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.collapser.Member;
import org.jspecify.annotations.Nullable;

/**
 * The future of one member of a batch. Completed by the batch; completed or cancelled from outside,
 * it leaves the batch, unless the batch has decided it.
 *
 * @param <R> what the member is answered
 */
final class MemberFuture<R extends @Nullable Object> extends TwoStepFuture<R> {

  private final Member<R> member = new Inside();

  private final class Inside extends Member<R> {

    @Override
    protected void published(@Nullable R value, @Nullable Throwable error) {
      MemberFuture.this.publish(value, error);
    }

    @Override
    protected boolean isBare() {
      return getNumberOfDependents() == 0;
    }

    @Override
    public void onValue(R value) {
      MemberFuture.this.deliver();
    }

    @Override
    public void onError(Throwable error) {
      MemberFuture.this.deliver();
    }
  }

  Member<R> member() {
    return member;
  }

  @Override
  boolean giveUp(boolean mayInterrupt) {
    return member.leave();
  }
}
