// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.outcome.CommandInterruptedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * What the engine answers a call of a batch in several shards with: it is completed when the call's
 * own shard has ended, whatever the others do. All calls with an equal argument have the same.
 */
final class ShardAnswer extends CompletableFuture<@Nullable Object> {

  /**
   * Waits for it.
   *
   * @throws CommandInterruptedException if this thread is interrupted, which it stays
   * @throws Exception what the call failed with
   */
  @Nullable Object await(String collapserKey) throws Exception {
    try {
      return get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandInterruptedException(collapserKey, true);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof Error error) {
        throw error;
      }
      throw cause instanceof Exception exception ? exception : e;
    }
  }
}
