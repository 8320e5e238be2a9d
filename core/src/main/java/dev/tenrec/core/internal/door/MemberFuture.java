// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.door;

import dev.tenrec.core.internal.batch.BatchDoor;
import dev.tenrec.core.internal.batch.OutcomeMember;
import dev.tenrec.core.internal.collapser.Member;
import dev.tenrec.core.outcome.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The future of one member of a batch. Completed by the batch; completed or cancelled from outside,
 * it leaves the batch, unless the batch has decided it.
 *
 * @param <R> what the member is answered
 * @param <T> what this is completed with
 */
public abstract class MemberFuture<R extends @Nullable Object, T extends @Nullable Object>
    extends TwoStepFuture<T> {

  /** Completed with the answer, or with what kept it. */
  public static final class OfAnswer<R extends @Nullable Object> extends MemberFuture<R, R> {

    private final Member<R> member = new AnswerMember();

    private final class AnswerMember extends Member<R> {

      @Override
      protected void published(@Nullable R value, @Nullable Throwable error) {
        OfAnswer.this.publish(value, error);
      }

      @Override
      protected boolean isBare() {
        return getNumberOfDependents() == 0;
      }

      /** Dependents of the future that have run are not run again. */
      @Override
      public boolean runsAgain() {
        return true;
      }

      @Override
      public void onValue(R value) {
        OfAnswer.this.publish(value, null); // again, for the stack may have ended there
        OfAnswer.this.deliver();
      }

      @Override
      public void onError(Throwable error) {
        OfAnswer.this.publish(null, error);
        OfAnswer.this.deliver();
      }
    }

    @Override
    public Member<R> member() {
      return member;
    }
  }

  /** Completed with all about it. */
  public static final class OfOutcome<R extends @Nullable Object>
      extends MemberFuture<R, Outcome<R>> {

    private final Member<R> member;

    public OfOutcome(BatchDoor<?, R> door) {
      member = new AllMember(door);
    }

    private final class AllMember extends OutcomeMember<R> {

      private AllMember(BatchDoor<?, R> door) {
        super(door);
      }

      @Override
      protected void seen(Outcome<R> outcome) {
        OfOutcome.this.publish(outcome, null);
      }

      @Override
      protected boolean isBare() {
        return getNumberOfDependents() == 0;
      }

      @Override
      public boolean runsAgain() {
        return true;
      }

      @Override
      protected void onOutcome(Outcome<R> outcome) {
        OfOutcome.this.deliver();
      }
    }

    @Override
    public Member<R> member() {
      return member;
    }
  }

  /** What joins the batch. */
  public abstract Member<R> member();

  @Override
  boolean giveUp(boolean mayInterrupt) {
    return member().leave();
  }

  @Override
  void deliverOrLater() {
    deliver(); // without memory its caller hears of it
  }
}
