// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.invocation;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The future of an execution whose fallback may answer with a stage: follows that, too. Cancelling
 * it cancels the execution.
 */
final class FollowedFuture extends CompletableFuture<@Nullable Object> {

  private final CompletableFuture<@Nullable Object> execution;

  private FollowedFuture(CompletableFuture<@Nullable Object> execution) {
    this.execution = execution;
  }

  static CompletableFuture<@Nullable Object> follow(CompletableFuture<@Nullable Object> execution) {
    FollowedFuture followed = new FollowedFuture(execution);
    CompletableFuture<@Nullable Object> unused = execution.whenComplete(followed::ended);
    return followed;
  }

  private void ended(@Nullable Object value, @Nullable Throwable error) {
    if (error != null) {
      completeExceptionally(error);
    } else if (value instanceof Substitute substitute
        && substitute.answer() instanceof CompletionStage<?> stage) {
      CompletionStage<?> unused =
          stage.whenComplete(
              (answer, failed) -> {
                if (failed == null) {
                  complete(answer);
                } else {
                  completeExceptionally(substitute.cause());
                }
              });
    } else {
      complete(value instanceof Substitute ? null : value);
    }
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean unused = execution.cancel(mayInterruptIfRunning);
    return super.cancel(mayInterruptIfRunning);
  }
}
