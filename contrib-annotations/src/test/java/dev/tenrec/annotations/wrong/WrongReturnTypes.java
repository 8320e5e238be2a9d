// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.wrong;

import dev.tenrec.annotations.CacheKey;
import dev.tenrec.annotations.CacheRemove;
import dev.tenrec.annotations.wrong.WrongBeans.Wrong;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import kotlin.coroutines.Continuation;

/** Methods that hand back what no command can answer with, and what is to be said about each. */
public final class WrongReturnTypes {

  private WrongReturnTypes() {}

  @Wrong(
      where = "remove(String, Continuation)",
      found = "@CacheRemove on a suspend function",
      expected =
          "a function that does not suspend, or one that returns a Mono or a CompletionStage")
  static class SuspendedRemoval {
    @CacheRemove(commandKey = "get")
    public Object remove(@CacheKey String id, Continuation<? super String> continuation) {
      return "";
    }
  }

  @Wrong(
      where = "remove(String)",
      found = "@CacheRemove on a method that returns a Future, which does not tell when it ends",
      expected = "a CompletableFuture, or @Command beside it")
  static class RemovalOfAFuture {
    @CacheRemove(commandKey = "get")
    public Future<String> remove(String id) {
      return new FutureTask<>(() -> "");
    }
  }
}
