// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Scenario.Caller;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.work.Call;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/** Attempts that say that they have begun, and end when the test says how. */
final class HeldAttempts {

  /** After which a hedge begins. */
  static final Duration DELAY = Duration.ofMillis(50);

  private final Scenario scenario;
  final Map<Integer, CompletableFuture<String>> answers = new ConcurrentHashMap<>();
  final Set<Integer> begun = ConcurrentHashMap.newKeySet();
  final Set<Integer> gone = ConcurrentHashMap.newKeySet();
  private final Map<Integer, Execution<?, ?>> executions = new ConcurrentHashMap<>();

  HeldAttempts(Scenario scenario) {
    this.scenario = scenario;
  }

  CommandBuilder<String, String> command() {
    CommandBuilder<String, String> builder =
        scenario.way == Way.STAGE
            ? scenario.tenrec.asyncCommand("Subject", this::start)
            : scenario.tenrec.command("Subject", this::run);
    return builder
        .isolation(scenario.way.isolation())
        .timeout(Scenario.TIMEOUT)
        .hedge(Hedge.after(DELAY).budget(100, 100));
  }

  String run(String argument, Call call) throws Exception {
    executions.put(call.attempt(), (Execution<?, ?>) call);
    begun.add(call.attempt());
    try {
      return argument + answer(call.attempt()).get();
    } catch (InterruptedException e) {
      gone.add(call.attempt());
      throw e;
    } catch (ExecutionException e) {
      throw (Exception) e.getCause();
    }
  }

  CompletableFuture<String> start(String argument, Call call) {
    executions.put(call.attempt(), (Execution<?, ?>) call);
    CompletableFuture<String> stage = answer(call.attempt()).thenApply(argument::concat);
    CompletableFuture<String> unused =
        stage.whenComplete(
            (value, thrown) -> {
              if (stage.isCancelled()) {
                gone.add(call.attempt());
              }
            });
    begun.add(call.attempt());
    return stage;
  }

  CompletableFuture<String> answer(int attempt) {
    return answers.computeIfAbsent(attempt, n -> new CompletableFuture<>());
  }

  void awaitBegun(int attempt) {
    Scenario.await().until(() -> begun.contains(attempt));
  }

  /** Its thread was interrupted, or its stage cancelled. */
  void awaitGone(int attempt) {
    Scenario.await().until(() -> gone.contains(attempt));
  }

  /** Fails it, and waits until its call knows that, which is a moment after it is counted. */
  void fail(int attempt, Exception why) {
    answer(attempt).completeExceptionally(why);
    Scenario.await().until(() -> executions.get(attempt).isAnswered());
  }

  /** A call with one attempt under way, whose hedge is not due yet. */
  Caller first(Command<String, String> command) {
    Caller caller = scenario.start(command, "x");
    awaitBegun(1);
    return caller;
  }

  /** A call with both attempts under way. */
  Caller both(Command<String, String> command) {
    Caller caller = first(command);
    scenario.time.advance(DELAY);
    awaitBegun(2);
    return caller;
  }
}
