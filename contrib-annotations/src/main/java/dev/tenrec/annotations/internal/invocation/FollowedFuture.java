// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Completes after a first stage, and what follows on it. Cancelling it cancels the first stage, and
 * that of a fallback as well, unless other calls may have the same answer.
 */
final class FollowedFuture extends CompletableFuture<@Nullable Object> {

  private final CompletionStage<?> first;
  private final boolean shared;

  /**
   * What a fallback answered. Written by the thread that ends the first stage before it looks
   * whether this is cancelled, read by one that cancels after it has done so: one of them cancels
   * it. Ordered by volatile access.
   */
  private volatile @Nullable CompletionStage<?> second;

  private FollowedFuture(CompletionStage<?> first, boolean shared) {
    this.first = first;
    this.shared = shared;
  }

  /**
   * Follows an execution; if its fallback answers with a stage, follows that stage, too.
   *
   * @param shared whether other calls may have the same answer, as of a result that is kept
   */
  static CompletableFuture<@Nullable Object> follow(
      CompletableFuture<@Nullable Object> execution, boolean shared) {
    FollowedFuture followed = new FollowedFuture(execution, shared);
    CompletableFuture<@Nullable Object> unused = execution.whenComplete(followed::ended);
    return followed;
  }

  /** Follows a stage; completes when {@code then} has run after the stage's success. */
  static CompletableFuture<@Nullable Object> after(CompletionStage<?> stage, Runnable then) {
    FollowedFuture followed = new FollowedFuture(stage, false);
    CompletionStage<?> unused =
        stage.whenComplete(
            (value, error) -> {
              try {
                if (error == null) {
                  then.run();
                }
                followed.ended(value, error);
              } catch (Throwable e) {
                followed.ended(null, e);
              }
            });
    return followed;
  }

  private void ended(@Nullable Object value, @Nullable Throwable error) {
    if (error != null) {
      completeExceptionally(error);
    } else if (value instanceof Substitute substitute) {
      follow(substitute);
    } else {
      complete(value);
    }
  }

  private void follow(Substitute substitute) {
    if (!(substitute.answer() instanceof CompletionStage<?> stage)) {
      completeExceptionally(substitute.cause()); // the fallback returned null
      return;
    }
    if (!shared) {
      second = stage;
      if (isCancelled()) {
        cancel(stage, true);
      }
    }
    CompletionStage<?> unused =
        stage.whenComplete(
            (answer, failed) -> {
              if (failed == null) {
                complete(answer);
              } else {
                completeExceptionally(substitute.cause());
              }
            });
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    cancel(first, mayInterruptIfRunning);
    boolean cancelled = super.cancel(mayInterruptIfRunning);
    if (cancelled) {
      cancel(second, mayInterruptIfRunning);
    }
    return cancelled;
  }

  private static void cancel(@Nullable CompletionStage<?> stage, boolean mayInterruptIfRunning) {
    boolean unused = stage instanceof Future<?> future && future.cancel(mayInterruptIfRunning);
  }
}
