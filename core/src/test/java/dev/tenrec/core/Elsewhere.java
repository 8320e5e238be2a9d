// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** A caller on a thread of its own. */
final class Elsewhere {

  private Elsewhere() {}

  /** What {@code call} brings, once it does. */
  static <T> CompletableFuture<T> call(Callable<T> call) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread unused = start(() -> complete(result, call));
    return result;
  }

  /** A thread that runs {@code body} and inherits nothing, to be interrupted or waited for. */
  static Thread start(Runnable body) {
    Thread thread = new Thread(null, body, "caller", 0, false);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static <T> void complete(CompletableFuture<T> result, Callable<T> call) {
    try {
      result.complete(call.call());
    } catch (Throwable thrown) {
      result.completeExceptionally(thrown);
    }
  }
}
