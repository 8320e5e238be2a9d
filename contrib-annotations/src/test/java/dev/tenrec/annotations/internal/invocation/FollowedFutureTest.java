// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.annotations.internal.declaration.SneakyThrow;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** What follows on a stage, and how both are given up. */
class FollowedFutureTest {

  private final CompletableFuture<Object> answer = new CompletableFuture<>();
  private final Substitute substitute = new Substitute(answer, new IOException("first"));

  /** As one of which the work has ended, and the answer is not published yet. */
  private final CompletableFuture<Object> execution =
      new CompletableFuture<>() {
        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
          return false;
        }
      };

  @Test
  void cancel_inTheFallback_cancelsItsStage() {
    CompletableFuture<Object> followed = FollowedFuture.follow(execution, false);
    execution.complete(substitute);
    assertThat(followed.cancel(true)).isTrue();
    assertThat(answer).isCancelled();
    assertThat(followed).isCancelled();
  }

  @Test
  void cancel_beforeTheFallbackAnswers_cancelsItsStage() {
    CompletableFuture<Object> followed = FollowedFuture.follow(execution, false);
    assertThat(followed.cancel(true)).isTrue();
    execution.complete(substitute);
    assertThat(answer).isCancelled();
  }

  @Test
  void cancel_afterTheEnd_isNone() {
    CompletableFuture<Object> followed = FollowedFuture.follow(execution, false);
    execution.complete(substitute);
    answer.complete("instead");
    assertThat(followed.cancel(true)).isFalse();
    assertThat(followed).isCompletedWithValue("instead");
  }

  @Test
  void whatFollows_throwsAnUndeclaredException_theCallerGetsIt() {
    CompletableFuture<Object> first = new CompletableFuture<>();
    CompletableFuture<Object> followed =
        FollowedFuture.after(
            first,
            () -> {
              throw SneakyThrow.unchecked(new IOException("sneaky"));
            });
    first.complete("done");
    assertThat(followed).isDone();
    assertThatThrownBy(() -> followed.getNow(null))
        .isInstanceOf(CompletionException.class)
        .cause()
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("sneaky");
  }
}
