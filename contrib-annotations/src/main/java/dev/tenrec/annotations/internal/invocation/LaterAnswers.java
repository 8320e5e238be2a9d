// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a batch method will answer, by member, as the stage that its command follows. To cancel it
 * cancels what the method returned; it ends when that ends, so work that does not heed its
 * cancellation keeps its permit.
 */
final class LaterAnswers extends CompletableFuture<Map<BatchArgument, @Nullable Object>> {

  private final CompletionStage<?> returned;

  private LaterAnswers(CompletionStage<?> returned) {
    this.returned = returned;
  }

  /**
   * Follows what a method returned.
   *
   * @param over called at its end, before this ends
   * @param byMember makes the answers of what it brings
   */
  static LaterAnswers of(
      CompletionStage<?> returned,
      Runnable over,
      Function<@Nullable Object, Map<BatchArgument, @Nullable Object>> byMember) {
    LaterAnswers answers = new LaterAnswers(returned);
    CompletionStage<?> unused =
        returned.whenComplete(
            (brought, failure) -> {
              over.run();
              answers.end(brought, failure, byMember);
            });
    return answers;
  }

  private void end(
      @Nullable Object brought,
      @Nullable Throwable failure,
      Function<@Nullable Object, Map<BatchArgument, @Nullable Object>> byMember) {
    if (failure != null) {
      completeExceptionally(failure);
      return;
    }
    try {
      complete(byMember.apply(brought));
    } catch (Throwable thrown) { // as a stage of the JDK's does
      completeExceptionally(thrown);
    }
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean unused = returned.toCompletableFuture().cancel(mayInterruptIfRunning);
    return isCancelled();
  }
}
