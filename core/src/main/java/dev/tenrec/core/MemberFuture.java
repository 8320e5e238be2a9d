// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.collapser.Member;
import dev.tenrec.core.execution.BatchDoor;
import dev.tenrec.core.execution.OutcomeMember;
import dev.tenrec.core.outcome.Outcome;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The future of one member of a batch. Completed by the batch; completed or cancelled by anybody
 * else, it leaves the batch.
 *
 * @param <R> what the member is answered
 * @param <T> what this is completed with
 */
abstract class MemberFuture<R extends @Nullable Object, T extends @Nullable Object>
    extends CompletableFuture<T> {

  /** Completed with the answer, or with what kept it. */
  static final class OfAnswer<R extends @Nullable Object> extends MemberFuture<R, R> {

    private final Member<R> member =
        new Member<>() {
          @Override
          public void onValue(R value) {
            answered(value);
          }

          @Override
          public void onError(Throwable error) {
            failed(error);
          }
        };

    @Override
    Member<R> member() {
      return member;
    }
  }

  /** Completed with all about it. */
  static final class OfOutcome<R extends @Nullable Object> extends MemberFuture<R, Outcome<R>> {

    private final Member<R> member;

    OfOutcome(BatchDoor<?, R> door) {
      member =
          new OutcomeMember<>(door) {
            @Override
            protected void onOutcome(Outcome<R> outcome) {
              answered(outcome);
            }
          };
    }

    @Override
    Member<R> member() {
      return member;
    }
  }

  /** What joins the batch. */
  abstract Member<R> member();

  /** By the member. */
  final void answered(T value) {
    boolean unused = super.complete(value);
  }

  /**
   * By the member. A CancellationException makes the future a cancelled one, and keeps its words.
   */
  final void failed(Throwable error) {
    boolean unused = super.completeExceptionally(error);
  }

  private boolean leftIf(boolean completed) {
    if (completed) {
      boolean unused = member().leave();
    }
    return completed;
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return leftIf(super.cancel(mayInterruptIfRunning));
  }

  @Override
  public boolean complete(T value) {
    return leftIf(super.complete(value));
  }

  @Override
  public boolean completeExceptionally(Throwable error) {
    return leftIf(super.completeExceptionally(error));
  }

  @Override
  public void obtrudeValue(T value) {
    super.obtrudeValue(value);
    boolean unused = leftIf(true);
  }

  @Override
  public void obtrudeException(Throwable error) {
    super.obtrudeException(error);
    boolean unused = leftIf(true);
  }

  /** Stages that depend on this one are ordinary: completing them does not touch the batch. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
