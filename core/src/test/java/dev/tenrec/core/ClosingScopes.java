// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.internal.collapser.BatchScope;
import dev.tenrec.core.internal.collapser.Batches;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Requests by name, entered by a thread and ended by anybody: a stand-in for request contexts. */
final class ClosingScopes<A, R> implements CollapserBuilder.Scopes<A, R> {

  private final ThreadLocal<String> entered = new ThreadLocal<>();
  private final Map<String, Batches<A, R>> requests = new ConcurrentHashMap<>();
  private BatchScope<A, R> scope =
      () -> {
        throw new IllegalStateException("not built");
      };

  @Override
  public BatchScope<A, R> over(Supplier<Batches<A, R>> newBatches) {
    scope =
        () -> {
          String name = entered.get();
          if (name == null) {
            throw new IllegalStateException("no request");
          }
          return requests.computeIfAbsent(name, first -> newBatches.get());
        };
    return scope;
  }

  void enter(String name) {
    entered.set(name);
  }

  Batches<A, R> current() {
    return scope.current();
  }

  void end(String name) {
    Batches<A, R> ended = requests.remove(name);
    if (ended != null) {
      ended.close("its request has ended");
    }
  }
}
