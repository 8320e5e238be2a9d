// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.load.engine.Target;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class PausingTargetTest {

  @Test
  void callAsync_refused_isReportedAfterThePause() {
    CompletableFuture<Integer> refused = call(503, 60_000);

    assertThat(refused).isNotDone();
    assertThat(call(503, 1).join()).isEqualTo(503);
    assertThat(call(503, 0)).isCompletedWithValue(503);
  }

  @Test
  void callAsync_answered_isReportedAtOnce() {
    assertThat(call(200, 60_000)).isCompletedWithValue(200);
    assertThat(call(500, 60_000)).isCompletedWithValue(500);
  }

  private static CompletableFuture<Integer> call(int status, int pauseMillis) {
    return new PausingTarget(new Answering(status), pauseMillis).callAsync().toCompletableFuture();
  }

  private record Answering(int status) implements Target {

    @Override
    public int call() {
      return status;
    }

    @Override
    public CompletionStage<Integer> callAsync() {
      return CompletableFuture.completedFuture(status);
    }

    @Override
    public void close() {}
  }
}
