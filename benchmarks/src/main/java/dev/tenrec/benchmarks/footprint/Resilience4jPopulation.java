// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.footprint;

import dev.tenrec.benchmarks.ProtectedCall;
import dev.tenrec.benchmarks.contender.Fallbacks;
import dev.tenrec.benchmarks.contender.Resilience4jContender;
import dev.tenrec.benchmarks.contender.Resilience4jPool;
import dev.tenrec.benchmarks.contender.Rules;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A breaker, a bulkhead and the decorated function each; they keep no latencies. */
public final class Resilience4jPopulation implements Population {

  private final List<Resilience4jContender> commands = new ArrayList<>();
  private final Held held = new Held();
  private @Nullable Resilience4jPool pooled;

  @Override
  public void add(int more) {
    for (int i = 0; i < more; i++) {
      commands.add(
          Resilience4jContender.of(Rules.usual(), ProtectedCall::answer, Fallbacks.SERVED));
    }
  }

  @Override
  public int size() {
    return commands.size();
  }

  @Override
  public void call(int command) {
    commands.get(command).call("question");
  }

  @Override
  public Object start(int calls) {
    Resilience4jPool pool =
        Resilience4jPool.onPool(Held.rules(calls), held::work, Fallbacks.SERVED);
    pooled = pool;
    List<Future<String>> started = new ArrayList<>(calls);
    for (int i = 0; i < calls; i++) {
      started.add(pool.callAsync("question"));
    }
    return started;
  }

  @Override
  public void close() {
    held.letGo();
    if (pooled != null) {
      pooled.close();
    }
  }
}
