// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.load.engine.Target;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Another target, whose caller has a pause after each refusal: it learns of the refusal only then.
 * Latencies are those of answered calls and know nothing of it. Thread-safe.
 */
final class PausingTarget implements Target {

  private static final int UNAVAILABLE = 503;

  private final Target target;
  private final int pauseMillis;

  PausingTarget(Target target, int pauseMillis) {
    this.target = target;
    this.pauseMillis = pauseMillis;
  }

  @Override
  public int call() {
    return callAsync().toCompletableFuture().join();
  }

  @Override
  public CompletionStage<Integer> callAsync() {
    return target
        .callAsync()
        .thenCompose(
            status ->
                status == UNAVAILABLE && pauseMillis > 0
                    ? new CompletableFuture<Integer>()
                        .completeOnTimeout(status, pauseMillis, TimeUnit.MILLISECONDS)
                    : CompletableFuture.completedFuture(status));
  }

  @Override
  public void close() throws Exception {
    target.close();
  }
}
