// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.collapser.Member;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The future of one member of a batch. Completed by the batch; completed or cancelled by anybody
 * else, it leaves the batch.
 *
 * @param <R> what the member is answered
 */
final class MemberFuture<R extends @Nullable Object> extends CompletableFuture<R> {

  private final Member<R> member = new Inside();

  private final class Inside extends Member<R> {

    @Override
    public void onValue(R value) {
      MemberFuture.super.complete(value);
    }

    @Override
    public void onError(Throwable error) {
      // a CancellationException makes the future a cancelled one, and keeps its message
      MemberFuture.super.completeExceptionally(error);
    }
  }

  Member<R> member() {
    return member;
  }

  private boolean leftIf(boolean completed) {
    if (completed) {
      boolean unused = member.leave();
    }
    return completed;
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return leftIf(super.cancel(mayInterruptIfRunning));
  }

  @Override
  public boolean complete(R value) {
    return leftIf(super.complete(value));
  }

  @Override
  public boolean completeExceptionally(Throwable error) {
    return leftIf(super.completeExceptionally(error));
  }

  @Override
  public void obtrudeValue(R value) {
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
