// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import dev.tenrec.field.load.engine.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Answers when the test has it answer. Thread-safe. */
final class HeldTarget implements Target {

  /** Those that wait for their answer. Guarded by this, as is the number of all. */
  private final List<CompletableFuture<Integer>> waiting = new ArrayList<>();

  private long sent;

  @Override
  public int call() {
    return callAsync().toCompletableFuture().join();
  }

  @Override
  public synchronized CompletionStage<Integer> callAsync() {
    CompletableFuture<Integer> answer = new CompletableFuture<>();
    waiting.add(answer);
    sent++;
    return answer;
  }

  /** How many calls wait for their answer. */
  synchronized int waiting() {
    return waiting.size();
  }

  /** How many calls there were. */
  synchronized long sent() {
    return sent;
  }

  /** Answers those that wait now; what they do then, some do on this thread. */
  void answerAll() {
    List<CompletableFuture<Integer>> all;
    synchronized (this) {
      all = List.copyOf(waiting);
      waiting.clear();
    }
    all.forEach(answer -> answer.complete(200));
  }

  @Override
  public void close() {
    answerAll();
  }
}
